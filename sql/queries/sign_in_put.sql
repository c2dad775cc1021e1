-- params: $1 new id, $2 SHA-256 of the browser's cookie in hexadecimal, $3 email, $4 path to go on to, $5 seconds it is good for; returns: nothing
insert into sign_in_link (id, browser_hash, email, next, expires_at)
values ($1, decode($2, 'hex'), $3, $4, now() + make_interval(secs => $5))
