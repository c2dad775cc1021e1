-- name: area_children
-- params: $1 canonical ids, $2 and $3 countries and the admin_level wanted in each, $4 the countries decided by level,
--   $5 kinds wanted in the other countries, $6 an admin_level wanted everywhere or null, $7 how many rows at most
-- returns: the administrative boundaries of that level inside each of the ids, with that id, and the revision of the
--   data; if there are none, one row with only the revision
-- not null: revision
with found as (
  select p.parent, b.id
  from boundary_parent p
  join boundary b on b.id = p.child
  where p.parent = any ($1::text[]) and b.type = 'administrative' and b.has_geometry
    and case when $6::integer is not null then b.admin_level = $6::integer
             else exists (select from unnest($2::text[], $3::integer[]) as t (country, level)
                          where t.country = b.country and t.level = b.admin_level)
               or (b.country is null or b.country <> all ($4::text[])) and b.kind = any ($5::text[]) end
  limit $7::integer
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true

-- name: area_level_countries
-- params: $1 and $2 countries and the admin_level wanted in each, $3 the countries decided by level, $4 kinds wanted
--   in the other countries, $5 an admin_level wanted everywhere or null, $6 countries to look in or null for any
-- returns: one or two of the countries that have boundaries of that level, by code, with their stored names
-- not null: code, name
select c.iso as code, c.name
from boundary c
where c.kind = 'country' and c.iso is not null and c.has_geometry and ($6::text[] is null or c.iso = any ($6::text[]))
  and exists (
    select from boundary b
    where b.country = c.iso and b.type = 'administrative' and b.has_geometry
      and case when $5::integer is not null then b.admin_level = $5::integer
               else exists (select from unnest($1::text[], $2::integer[]) as t (country, level)
                            where t.country = b.country and t.level = b.admin_level)
                 or b.country <> all ($3::text[]) and b.kind = any ($4::text[]) end)
order by c.iso
limit 2

-- name: area_near
-- params: $1 canonical ids, $2 candidates or null for any, $3 and $4 countries and the admin_level wanted in each, $5
--   the countries decided by level, $6 kinds wanted in the other countries, $7 an admin_level wanted everywhere or
--   null, $8 and $9 the largest gap between boxes in degrees of longitude and latitude, $10 whether to leave out
--   boundaries that are one of the ids, contain one or lie in one, $11 how many rows at most
-- returns: pairs of a boundary and one of the ids whose boxes are that close, by both ids, whether both come from one
--   source, and the revision of the data; if there are none, one row with only the revision
-- not null: revision
with found as (
  select b.id, own.boundary_id as own, b.source = o.source as same_source
  from boundary_shape own
  join boundary o on o.id = own.boundary_id
  join boundary_shape s on s.geom && st_expand(own.geom::box2d, $8::float8, $9::float8)::geometry
  join boundary b on b.id = s.boundary_id
  where own.boundary_id = any ($1::text[]) and b.type = 'administrative'
    and ($2::text[] is null or b.id = any ($2::text[]))
    and ($2::text[] is not null
      or case when $7::integer is not null then b.admin_level = $7::integer
              else exists (select from unnest($3::text[], $4::integer[]) as t (country, level)
                           where t.country = b.country and t.level = b.admin_level)
                or (b.country is null or b.country <> all ($5::text[])) and b.kind = any ($6::text[]) end)
    and not ($10::boolean
             and (b.id = any ($1::text[])
                  or exists (select from boundary_parent p where p.child = b.id and p.parent = any ($1::text[]))
                  or exists (select from boundary_parent p where p.parent = b.id and p.child = any ($1::text[]))))
  limit $11::integer
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true
order by found.id, found.own

-- name: area_lands
-- params: none
-- returns: the countries and territories with their codes and whether their source is seed data or they took the place
--   of a seed boundary; the countries that each lies in; its rings as signed arcs one after another (interior on the
--   left); and the revision of the data
-- not null: revision, within, seed
select r.revision, b.id, b.source, b.country, b.country_code,
       o.seed or exists (select from boundary_replaced x
                         where x.heir = b.id and x.facts ->> 'type' = b.type
                           and (x.facts ->> 'admin_level')::integer is not distinct from b.admin_level) as seed,
       array(select p.parent from boundary_parent p
             join boundary k on k.id = p.parent
             where p.child = b.id and k.kind = 'country' and k.type = 'administrative') as within,
       s.arcs
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
join boundary b on b.kind = 'country' and b.type = 'administrative'
join source o on o.id = b.source
join boundary_shape s on s.boundary_id = b.id
order by b.id

-- name: area_kept_shapes
-- params: $1 canonical ids
-- returns: for each that took the place of a seed boundary of its level, the polygon of that one
--   (well-known binary)
-- not null: wkb
select r.heir, st_asbinary(r.geom) as wkb
from boundary_replaced r
join boundary b on b.id = r.heir
where r.heir = any ($1::text[]) and r.facts ->> 'type' = b.type
  and (r.facts ->> 'admin_level')::integer is not distinct from b.admin_level
order by r.id

-- name: area_arc_ends
-- params: $1 ids of arcs
-- returns: for each its signed area and turn, its first two and last two vertices (int32 pairs), and its box (west,
--   south, east, north in 1e-7 degrees)
-- not null: head, tail, west, south, east, north
select id, area, turn, substr(coords, 1, 16) as head, substr(coords, length(coords) - 15) as tail,
       (box[1])[0] as west, (box[1])[1] as south, (box[0])[0] as east, (box[0])[1] as north
from arc
where id = any ($1::bigint[])

-- name: area_arc_coords
-- params: $1 ids of arcs
-- returns: the vertices of each (int32 pairs)
select id, coords from arc where id = any ($1::bigint[])

-- name: area_level_arcs
-- params: $1 the id of a country, $2 an admin_level, $3 how many rows at most
-- returns: the administrative boundaries of that level in the country, each with its source, whether that is seed data,
--   and its rings as signed arcs
select b.id, b.source, o.seed, s.arcs
from boundary_parent p
join boundary b on b.id = p.child
join source o on o.id = b.source
join boundary_shape s on s.boundary_id = b.id
where p.parent = $1::text and b.type = 'administrative' and b.admin_level = $2::integer
limit $3::integer

-- name: area_shore_ways
-- params: $1 canonical ids
-- returns: those whose border contains an OpenStreetMap way that is a coastline or a maritime border
select b.id
from boundary b
where b.id = any ($1::text[])
  and exists (select from way w
              where w.id = any (b.ways) and (w.tags ->> 'natural' = 'coastline' or w.tags ->> 'maritime' = 'yes'))

-- name: area_parts
-- params: $1 canonical ids, $2 how many rows at most
-- returns: the polygons of each, the largest first: its box in 1e-7 degrees, and about its area (square degrees of the
--   equator)
-- not null: west, south, east, north, area
select s.boundary_id as id, st_xmin(p.geom) * 1e7 as west, st_ymin(p.geom) * 1e7 as south, st_xmax(p.geom) * 1e7 as east,
       st_ymax(p.geom) * 1e7 as north,
       st_area(p.geom) * cos(radians((st_ymin(p.geom) + st_ymax(p.geom)) / 2)) as area
from boundary_shape s
cross join lateral st_dump(s.geom) as p
where s.boundary_id = any ($1::text[])
order by area desc
limit $2::integer
