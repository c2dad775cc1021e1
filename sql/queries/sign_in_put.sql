-- takes: $1 SHA-256 of the token in hexadecimal, $2 that of the browser's cookie, $3 email, $4 path to go on to, $5 seconds it is good for; gives: nothing
insert into sign_in_link (token_hash, browser_hash, email, next, expires_at)
values (decode($1, 'hex'), decode($2, 'hex'), $3, $4, now() + make_interval(secs => $5))
