-- params: $1 boundary ids that were made; returns: pairs that may be child and parent, one of the two being named: boxes meet, the parent is of a higher level and not much smaller
with pair as (
  select cs.boundary_id as child, ps.boundary_id as parent
  from boundary_shape cs
  join boundary_shape ps on ps.geom && cs.geom and ps.boundary_id <> cs.boundary_id
  where cs.boundary_id = any ($1::text[])
  union
  select cs.boundary_id, ps.boundary_id
  from boundary_shape ps
  join boundary_shape cs on cs.geom && ps.geom and cs.boundary_id <> ps.boundary_id
  where ps.boundary_id = any ($1::text[])
)
select pair.child, encode(c.ring_hash, 'hex') as child_hash, pair.parent, encode(p.ring_hash, 'hex') as parent_hash
from pair
join boundary c on c.id = pair.child
join boundary p on p.id = pair.parent
where p.type = 'administrative'
  and p.admin_level < case when c.type = 'administrative' then coalesce(c.admin_level, 13) else 13 end
  and p.area_km2 >= c.area_km2 * 0.5
order by pair.parent, pair.child
