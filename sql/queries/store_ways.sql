-- params: $1 way ids; returns: the stored ways
select id, version, coords, missing_node from way where id = any ($1::bigint[])
