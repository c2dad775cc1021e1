-- name: unshaped_among
-- params: $1 boundary ids
-- returns: the ids without a polygon that have data from a source
select id from boundary where id = any ($1::text[]) and not has_geometry and version > 0

-- name: unshaped_around
-- params: arrays of x, y (1e-7 degrees) and the admin_level whose parents are wanted
-- returns: the index of each point with the boundaries whose box contains it
-- not null: point, ring_hash, mapped
select q.n::integer - 1 as point, p.id, encode(p.ring_hash, 'hex') as ring_hash, p.admin_level, p.country,
       cardinality(p.ways) > 0 as mapped
from unnest($1::float8[], $2::float8[], $3::integer[]) with ordinality as q (x, y, level, n)
join boundary_shape s on s.geom && st_setsrid(st_makepoint(q.x / 1e7, q.y / 1e7), 4326)
join boundary p on p.id = s.boundary_id
where p.type = 'administrative' and p.admin_level < q.level

-- name: unshaped_carriers
-- params: $1 ISO 3166-1 codes
-- returns: for each code the boundary that carries it, an OpenStreetMap one before a seed one
select distinct on (b.country_code) b.country_code, b.id as parent, b.admin_level, b.country
from boundary b
join source s on s.id = b.source
where b.country_code = any ($1::text[]) and b.type = 'administrative' and b.admin_level is not null
order by b.country_code, s.seed, b.admin_level, length(b.id), b.id

-- name: unshaped_clear
-- params: $1 boundary ids
-- returns: nothing. The caller writes their parents again
delete from boundary_parent where child = any ($1::text[])

-- name: unshaped_members
-- params: $1 boundary ids
-- returns: the administrative boundaries that list each as a subarea
-- not null: child
select c.id as child, p.id as parent, p.admin_level, p.country
from unnest($1::text[]) as c (id)
join boundary p on p.subareas @> array[c.id]
where p.type = 'administrative' and p.id <> c.id

-- name: unshaped_parents
-- params: $1 boundary ids
-- returns: their stored parents, outermost first
select p.child, p.parent, p.share, b.admin_level, b.country
from boundary_parent p
join boundary b on b.id = p.parent
where p.child = any ($1::text[])
order by p.child, p.position

-- name: unshaped_put
-- params: $1 a JSON array of {boundary_id, west, south, east, north (degrees or null), country, basis}
-- returns: nothing
insert into unshaped (boundary_id, extent, country, basis)
select boundary_id, st_makeenvelope(west, south, east, north, 4326), country, basis
from jsonb_to_recordset($1::jsonb)
     as t (boundary_id text, west float8, south float8, east float8, north float8, country text, basis text)
on conflict (boundary_id) do update
set extent = excluded.extent, country = excluded.country, basis = excluded.basis

-- name: unshaped_rows
-- params: $1 boundary ids
-- returns: those without a polygon that have data from a source (not only a name from an upstream's list), with what is
--   stored about their location
-- not null: id, source, type, ways
-- types: tags { readonly [x: string]: string }; traced_basis 'member' | 'tags' | 'code' | 'polygons' | 'neighbor' |
--   'coarse' | 'points' | 'list'
select b.id, b.source, b.type, b.admin_level, b.country_code, b.country_given, b.iso, b.tags, b.ways,
       t.country as traced_country, t.basis as traced_basis,
       st_xmin(t.extent) as west, st_ymin(t.extent) as south, st_xmax(t.extent) as east, st_ymax(t.extent) as north
from boundary b
left join unshaped t on t.boundary_id = b.id
where b.id = any ($1::text[]) and not b.has_geometry and b.version > 0

-- name: unshaped_touched
-- params: $1 ids of boundaries that were written
-- returns: the ids of boundaries without a polygon whose location may depend on those, including themselves
-- not null: id
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

-- name: unshaped_users
-- params: $1 way ids
-- returns: the administrative boundaries that have each in their border, with what is known of their country
-- not null: way, id, has_geometry
-- types: basis 'member' | 'tags' | 'code' | 'polygons' | 'neighbor' | 'coarse' | 'points' | 'list'
select w.id as way, b.id, b.admin_level, b.country_code, b.country, b.has_geometry, t.basis
from unnest($1::bigint[]) as w (id)
join boundary b on b.ways @> array[w.id]
left join unshaped t on t.boundary_id = b.id
where b.type = 'administrative' and b.version > 0

-- name: unshaped_ways
-- params: $1 way ids
-- returns: the ways with known coordinates, with the admin_level from their own tags
-- not null: coords
select id, coords, case when tags ->> 'admin_level' ~ '^\d{1,2}$' then (tags ->> 'admin_level')::integer end as admin_level
from way
where id = any ($1::bigint[]) and coords is not null
