-- name: ogc_collections
-- params: nothing
-- returns: each kind and each admin_level of boundaries with a polygon, with their number and the revision of the data;
--   if there are none, one row with only the revision
with found as (
  select b.kind, b.admin_level, count(*) as count
  from boundary b
  where b.has_geometry
  group by grouping sets ((b.kind), (b.admin_level))
  having grouping(b.kind) = 0 or b.admin_level is not null
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true
order by found.admin_level nulls last, found.kind

-- name: ogc_items
-- params: $1 kind or null, $2 admin_level or null, $3-$6 west, south, east, north in degrees or null (west > east
--   across the antimeridian), $7 the id to continue after, $8 how many, $9 a jsonpath predicate on the properties or
--   null, $10 the values that it names, $11 the places that it names: [{"place", "west", "south", "east", "north"}] in
--   1e-7 degrees, $12 the places that shapes meet, by id, in place of those that boxes meet; only these ids are read,
--   $13 populations by ISO code, where the source has none, $14 source or null
-- returns: ids of boundaries with a polygon, of that kind or level and source, whose box intersects the given box, and
--   of which
--   the predicate is true, by id, with the revision of the data; if there are none, one row with only the revision
-- not null: revision
with found as (
  select b.id
  from boundary b
  where b.has_geometry and b.id > $7::text
    and ($12::jsonb is null or b.id = any (array(select jsonb_object_keys($12::jsonb))))
    and ($1::text is null or b.kind = $1::text)
    and ($2::integer is null or b.admin_level = $2::integer)
    and ($14::text is null or b.source = $14::text)
    and ($3::float8 is null
         or b.south <= $6::float8 * 1e7 and b.north >= $4::float8 * 1e7
         and case when b.west <= b.east
               then case when $3::float8 > $5::float8
                      then b.east >= $3::float8 * 1e7 or b.west <= $5::float8 * 1e7
                      else b.east >= $3::float8 * 1e7 and b.west <= $5::float8 * 1e7 end
               else $3::float8 > $5::float8 or b.west <= $5::float8 * 1e7 or b.east >= $3::float8 * 1e7 end)
    and ($9::text is null
         or jsonb_path_match(
              jsonb_strip_nulls(jsonb_build_object(
                'id', b.id, 'name', b.name, 'local_name', b.name, 'kind', b.kind, 'admin_level', b.admin_level,
                'country', b.country, 'iso', b.iso, 'wikidata', b.wikidata, 'area_km2', b.area_km2,
                'population', coalesce(b.population, ($13::jsonb ->> b.iso)::bigint),
                'places', coalesce($12::jsonb -> b.id, (
                  select jsonb_agg(p.place)
                  from jsonb_to_recordset($11::jsonb) as p (place integer, west float8, south float8, east float8, north float8)
                  where b.south <= p.north and b.north >= p.south
                    and case when b.west <= b.east then b.east >= p.west and b.west <= p.east
                             else b.west <= p.east or b.east >= p.west end)))),
              $9::text::jsonpath, $10::jsonb, true))
  order by b.id
  limit $8::integer
)
select r.revision, found.id
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true
order by found.id

-- name: ogc_line_boundaries
-- params: $1 admin_level or null, $2-$5 west, south, east, north in degrees or null (west > east across the
--   antimeridian), $6 the id to begin with, $7 how many
-- returns: ids of administrative boundaries with a polygon, of that level, whose box intersects the given box, by id,
--   with the revision of the data; if there are none, one row with only the revision
-- not null: revision
with found as (
  select b.id
  from boundary b
  where b.has_geometry and b.type = 'administrative' and b.id >= $6::text
    and ($1::integer is null or b.admin_level = $1::integer)
    and ($2::float8 is null
         or b.south <= $5::float8 * 1e7 and b.north >= $3::float8 * 1e7
         and case when b.west <= b.east
               then case when $2::float8 > $4::float8
                      then b.east >= $2::float8 * 1e7 or b.west <= $4::float8 * 1e7
                      else b.east >= $2::float8 * 1e7 and b.west <= $4::float8 * 1e7 end
               else $2::float8 > $4::float8 or b.west <= $4::float8 * 1e7 or b.east >= $2::float8 * 1e7 end)
  order by b.id
  limit $7::integer
)
select r.revision, found.id
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true
order by found.id

-- name: ogc_line_arcs
-- params: $1 a boundary, $2 the first of its arcs, counted from 1 as its rings have them, $3 how many, $4-$7 as $2-$5
--   of ogc_line_boundaries
-- returns: its next arcs whose box intersects the given box: the number and the id of each, and the administrative
--   boundaries that have it, the lowest admin_level first, with their levels (13: none), whether their rings walk it
--   backward, and whether any is disputed; with the revision of the data; if there are none, one row with only that
-- not null: revision
with own as materialized (
  select r.number, abs(r.ref) as arc
  from boundary_shape s
  cross join unnest(s.arcs) with ordinality as r (ref, number)
  where s.boundary_id = $1 and r.number >= $2::integer
    and ($4::float8 is null
         or exists (
           select from arc
           where arc.id = abs(r.ref)
             and (arc.box && box(point($4::float8 * 1e7, $5::float8 * 1e7),
                                 point(case when $4::float8 > $6::float8 then 1.8e9 else $6::float8 * 1e7 end,
                                       $7::float8 * 1e7))
                  or arc.box && box(point(case when $4::float8 > $6::float8 then -1.8e9 else $4::float8 * 1e7 end,
                                          $5::float8 * 1e7),
                                    point($6::float8 * 1e7, $7::float8 * 1e7)))))
  order by r.number
  limit $3::integer
),
beside as (
  select own.number, own.arc, s.boundary_id as id, coalesce(b.admin_level, 13) as level, b.disputed, r.ref < 0 as backward
  from boundary_shape s
  -- One by one, as the planner cannot know how few arcs meet.
  cross join lateral (select type, admin_level, disputed from boundary where id = s.boundary_id offset 0) b
  cross join unnest(s.arcs) as r (ref)
  join own on own.arc = abs(r.ref)
  where s.arc_ids && array(select arc from own) and b.type = 'administrative'
),
found as (
  select number::integer, arc, array_agg(id order by level, id) as ids, array_agg(level order by level, id) as levels,
         array_agg(backward order by level, id) as backward, bool_or(disputed) as disputed
  from beside
  group by number, arc
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true
order by found.number
