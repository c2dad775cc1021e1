-- params: $1 arc ids, $2 boundary ids to leave out; returns: the stored rings of the boundaries that use one of the arcs
with owner as materialized (
  select distinct s.boundary_id
  from unnest($1::bigint[]) as r (id)
  join boundary_shape s on s.arc_ids @> array[r.id]
)
select s.boundary_id as id, s.arcs, s.ring_end, s.polygon_end, s.largest, b.admin_level, b.type
from owner
join boundary_shape s on s.boundary_id = owner.boundary_id
join boundary b on b.id = s.boundary_id
where not exists (select from unnest($2::text[]) as x (id) where x.id = s.boundary_id)
