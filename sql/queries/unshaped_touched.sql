-- params: $1 boundary ids that were made; returns: the ids of boundaries without a polygon whose place may depend on those, themselves included
with recursive made as materialized (
  select b.id, b.has_geometry, b.subareas, b.country_code, coalesce(s.geom, t.extent) as place
  from boundary b
  left join boundary_shape s on s.boundary_id = b.id
  left join unshaped t on t.boundary_id = b.id
  where b.id = any ($1::text[])
),
near as (
  select id from made where not has_geometry
  union
  select t.boundary_id from made join unshaped t on t.extent && made.place
  union
  select t.boundary_id from made join unshaped t on t.country = made.country_code
  union
  select p.child from made join boundary_parent p on p.parent = made.id
  union
  select a.id from made cross join unnest(made.subareas) as a (id)
),
touched as (
  select b.id from near join boundary b on b.id = near.id where not b.has_geometry and b.version > 0
  union
  select m.id
  from touched
  join boundary b on b.id = touched.id
  cross join unnest(b.subareas) as a (id)
  join boundary m on m.id = a.id
  where not m.has_geometry and m.version > 0
)
select id from touched
