-- params: $1 arc ids; returns: what the tiers of each depend on
select id, reach from arc where id = any ($1::bigint[])
