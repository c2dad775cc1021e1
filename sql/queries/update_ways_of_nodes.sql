-- params: $1 node ids; returns: pairs of a stored way and a node of it. One look-up a bucket of the index
with asked as (
  select node >> 5 as bucket, array_agg(node) as nodes from unnest($1::bigint[]) as n (node) group by node >> 5
)
select distinct w.id as way, r.ref as node
from asked a
join way w on node_buckets(w.node_refs) @> array[a.bucket]
cross join lateral unnest(w.node_refs) as r (ref)
where r.ref = any (a.nodes)
