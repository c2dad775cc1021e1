-- takes: $1 node ids; gives: the ids of stored ways that use one of them. One look-up a bucket of the index, then the ids themselves
select distinct w.id
from (select distinct node >> 5 as bucket from unnest($1::bigint[]) as n (node)) b
join way w on node_buckets(w.node_refs) @> array[b.bucket]
where w.node_refs && $1::bigint[]
