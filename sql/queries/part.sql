-- name: part_orphans
-- params: $1 the arrangements of a part
-- returns: the ids of boundaries that have it and are not there any more
select distinct s.boundary_id as id
from shape_apart s
where s.arrangement = any ($1::smallint[])
  and not exists (select from boundary b where b.id = s.boundary_id and b.has_geometry)

-- name: part_scope
-- params: $1 boundary ids, $2 whether boundaries of sources that end at the shore have the part
-- returns: these, the boundaries that share a border with one of them, and those above and below one of them, as far as
--   they have the part
with given as materialized (
  select unnest($1::text[]) as id
), found as (
  select id from given
  union
  select o.boundary_id
  from given
  join boundary_shape s on s.boundary_id = given.id
  cross join unnest(s.arc_ids) as r (id)
  join boundary_shape o on o.arc_ids @> array[r.id]
  union
  select p.parent from given join boundary_parent p on p.child = given.id
  union
  select p.child from given join boundary_parent p on p.parent = given.id
)
select b.id
from found
join boundary b on b.id = found.id
join source o on o.id = b.source
where b.has_geometry and ($2::boolean or not o.land)
