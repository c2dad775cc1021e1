-- name: update_advance
-- params: address, sequence number (null for a file given by hand), time of the data (null: unknown), the source
-- returns: nothing
with source_time as (
  update source set data_at = greatest(data_at, $3::timestamptz) where id = $4
)
insert into update_state as s (address, sequence, data_at)
values ($1, $2::bigint, $3::timestamptz)
on conflict (address) do update
set sequence = excluded.sequence, data_at = greatest(s.data_at, excluded.data_at), applied_at = now()

-- name: update_drop_nodes
-- params: $1 ids of removed nodes, $2 ids of nodes that may no longer be needed by any relation
-- returns: nothing
delete from osm_node n
where n.id = any ($1::bigint[])
   or n.id = any ($2::bigint[]) and not exists (
     select from osm_relation o where place_nodes(o.member_types, o.member_refs, o.member_roles) @> array[n.id])

-- name: update_drop_ways
-- params: $1 way ids; $2 ways that left a border, $3 the boundary id for each
-- returns: nothing. Deletes the ways that no boundary uses (or used when it was deleted, while the way is on the map),
--   but keeps those that left a stale or broken boundary: its repair may name them again, and no change file would
--   contain them
delete from way w
where w.id = any ($1::bigint[])
  and not exists (select from boundary b where b.ways @> array[w.id])
  and not exists (select from boundary_gone g where g.ways @> array[w.id] and w.node_refs is not null)
  and not exists (
    select from unnest($2::bigint[], $3::text[]) as l (way, boundary)
    join boundary b on b.id = l.boundary
    where l.way = w.id and (b.stale is not null or b.broken is not null)
  )

-- name: update_known
-- params: $1 type (relation, way or node), $2 ids
-- returns: the ids that are stored
-- not null: id
select id from osm_relation where $1::text = 'relation' and id = any ($2::bigint[])
union all
select id from way where $1::text = 'way' and id = any ($2::bigint[])
union all
select id from osm_node where $1::text = 'node' and id = any ($2::bigint[])

-- name: update_nodes
-- params: $1 node ids
-- returns: the stored label and admin_centre nodes; x and y are null where the position is not known
-- types: tags { readonly [x: string]: string }
select id, version, tags, x, y from osm_node where id = any ($1::bigint[])

-- name: update_relations
-- params: $1 relation ids
-- returns: the stored relations as they are in OpenStreetMap
select id, version, tags, member_types, member_refs, member_roles from osm_relation where id = any ($1::bigint[])

-- name: update_relations_of_nodes
-- params: $1 node ids
-- returns: the stored relations that have one of them as label or admin_centre
select r.id, r.version, r.tags, r.member_types, r.member_refs, r.member_roles
from osm_relation r
where r.id in (select o.id
               from unnest($1::bigint[]) as n (node)
               join osm_relation o on place_nodes(o.member_types, o.member_refs, o.member_roles) @> array[n.node])

-- name: update_ring_members
-- params: $1 way ids, $2 ids of boundaries to ignore
-- returns: the ways that are in the border of another relation
-- not null: id
select distinct w.id
from unnest($1::bigint[]) as w (id)
join boundary b on b.ways @> array[w.id]
where b.id like 'r%' and b.id <> all ($2::text[])

-- name: update_state
-- params: an address ('' for files given by hand)
-- returns: the sequence number applied from this address, and the newest data time of any address
select (select sequence from update_state where address = $1) as sequence,
       (select max(data_at) from update_state) as data_at

-- name: update_waiting
-- params: nothing
-- returns: OpenStreetMap boundaries that need objects which were never stored
select b.id, b.name, b.source_version, b.ways
from boundary b
where b.source = 'osm'
  and (b.stale ->> 'reason' like '%missing %' or b.broken ->> 'reason' like '%missing %')
order by b.id

-- name: update_ways
-- params: $1 way ids
-- returns: the stored ways with all columns
-- types: tags { [x: string]: string }
select id, version, tags, node_refs, coords, missing_node, places from way where id = any ($1::bigint[])

-- name: update_ways_of_nodes
-- params: $1 node ids
-- returns: pairs of a stored way and one of its nodes; does one lookup per bucket of the index
with asked as (
  select node >> 5 as bucket, array_agg(node) as nodes from unnest($1::bigint[]) as n (node) group by node >> 5
)
select distinct w.id as way, r.ref as node
from asked a
join way w on node_buckets(w.node_refs) @> array[a.bucket]
cross join lateral unnest(w.node_refs) as r (ref)
where r.ref = any (a.nodes)
