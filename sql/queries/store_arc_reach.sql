-- takes: $1 arc ids; gives: the keys of the cells that the tiers of each depend on
select id, reach from arc where id = any ($1::bigint[])
