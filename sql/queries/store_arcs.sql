-- takes: $1 arc ids; gives: what the topology writer needs of each
select id, hash, coords, weights, ends, exact from arc where id = any ($1::bigint[])
