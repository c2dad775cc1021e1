-- params: $1 new id, $2 SHA-256 of the cookie in hexadecimal, $3 account, $4 org or null; returns: nothing
insert into session (id, hash, account, org) values ($1, decode($2, 'hex'), $3, $4)
