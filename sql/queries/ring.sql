-- name: ring_hashes
-- params: $1 boundary ids, $2 an arrangement
-- returns: the current ring_hash of those that have a shape in the arrangement
-- not null: id, ring_hash
-- prepared: planned once per session, because planning takes longer than running
select id, encode(ring_hash, 'hex') as ring_hash
from boundary
where id = any ($1::text[]) and has_geometry and $2::smallint = 0
union all
select boundary_id, encode(ring_hash, 'hex')
from shape_apart
where arrangement = $2::smallint and boundary_id = any ($1::text[])
