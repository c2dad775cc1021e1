-- params: $1 id, $2 account, $3 org, $4 name, $5 prefix, $6 SHA-256 in hexadecimal, $7 operator, $8 key that makes it or null; returns: when it was made
insert into api_key (id, account, org, name, prefix, hash, operator, created_by_key)
values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7::boolean, $8)
returning created_at
