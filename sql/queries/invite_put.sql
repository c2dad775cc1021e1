-- takes: $1 new id, $2 org, $3 email, $4 role, $5 SHA-256 of the token in hexadecimal, $6 account that invites, $7 seconds it is good for; gives: when it was made and when it expires
insert into invite (id, org, email, role, token_hash, invited_by, expires_at)
values ($1, $2, $3, $4, decode($5, 'hex'), $6, now() + make_interval(secs => $7))
returning created_at, expires_at
