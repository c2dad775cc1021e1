-- params: $1 hashes; returns: the id of each arc that is stored
select id, hash from arc where hash = any ($1::bytea[])
