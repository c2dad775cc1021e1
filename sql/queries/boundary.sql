-- name: boundary_boxes
-- params: $1 the canonical id to continue after, $2 how many
-- returns: one row: the revision of the data; the last id of the page of boundaries with a shape, by id (null: the
--   end); and 26 bytes for each: its number (negative for a way), west, south, east, north in 1e-7 degrees, and its
--   admin_level (13: none, 99: a postcode area)
-- not null: revision, boxes
with page as (
  select id, west, south, east, north,
         case type when 'administrative' then coalesce(admin_level, 13) else 99 end as level
  from boundary
  where has_geometry and id > $1::text
  order by id
  limit $2::integer
)
select (select base from data_revision) + (select count(*) from data_change) as revision,
       (select max(id) from page) as last,
       coalesce((select string_agg(int8send(case when left(id, 1) = 'w' then -substr(id, 2)::bigint
                                                 else substr(id, 2)::bigint end)
                                   || int4send(west) || int4send(south) || int4send(east) || int4send(north)
                                   || int2send(level::smallint),
                                   ''::bytea)
                 from page), ''::bytea) as boxes

-- name: boundary_count_all
-- params: $1 the most to count
-- returns: how many boundaries there are, of today and in the states that editions have
-- not null: boundaries
select count(*)::integer as boundaries
from (select 1 from boundary union all select 1 from edition_boundary limit $1::integer) b

-- name: boundary_areas_of_set
-- params: $1 the source of an area set
-- returns: one row about its areas, as boundary_children
-- not null: revision, total, without_geometry, pieces
with named as materialized (
  select b.id, b.name, b.has_geometry, (select min(n.folded) from boundary_name n
                                        where n.boundary_id = b.id and n.type = 'name' and n.lang is null) as folded
  from boundary b
  where b.source = $1
),
ordered as (
  select id, row_number() over (order by coalesce(folded, name) collate "C", name collate "C", id collate "C") - 1 as position
  from named
),
piece as (
  select position / 1000 as number, string_agg(id, ' ' order by position) as ids
  from ordered
  group by 1
)
select (select base from data_revision) + (select count(*) from data_change) as revision,
       (select count(*) from named)::integer as total,
       (select count(*) from named where not has_geometry)::integer as without_geometry,
       array(select ids from piece order by number) as pieces

-- name: boundary_children
-- params: $1 a canonical id, $2 its own admin_level or null, $3 'level', 'direct' (the boundary is the direct parent)
--   or 'all', $4 for 'level' the admin_level, null for the next one that exists
-- returns: one row about those administrative descendants: the revision of the data, how many there are and how many
--   of them have no polygon, the area of the boundary that they cover, the levels of other direct children, and ids by
--   local name then id, in chunks of 1,000
-- not null: revision, total, measured, without_geometry, area, pieces
-- types: other_levels readonly { readonly admin_level: number | null, readonly count: number }[]
with below as materialized (
  select b.id, b.name, b.admin_level, b.has_geometry, b.area_km2 * p.share as area
  from boundary_parent p
  join boundary b on b.id = p.child
  where p.parent = $1 and b.type = 'administrative'
    and (b.admin_level is null or $2::integer is null or b.admin_level > $2::integer)
    -- An extract cuts what is stored whole from another source: the same place is not counted twice.
    and (b.has_geometry or not exists (
      select from boundary t
      where t.has_geometry and t.type = b.type and t.admin_level is not distinct from b.admin_level
        and (t.wikidata = b.wikidata or t.iso = b.iso)))
),
nested as (
  select distinct q.child as id
  from below
  join boundary_parent q on q.child = below.id
  join below outer_one on outer_one.id = q.parent
),
marked as materialized (
  select below.*, nested.id is null as direct,
         case $3::text
           when 'all' then true
           when 'direct' then nested.id is null
           else below.admin_level is not distinct from coalesce($4::integer, (select min(admin_level) from below))
         end as listed
  from below
  left join nested on nested.id = below.id
),
named as (
  select id, name, (select min(n.folded) from boundary_name n
                    where n.boundary_id = marked.id and n.type = 'name' and n.lang is null) as folded
  from marked
  where listed
),
ordered as (
  select id, row_number() over (order by coalesce(folded, name) collate "C", name collate "C",
                                         left(id, 1), length(id), id collate "C") - 1 as position
  from named
),
piece as (
  select position / 1000 as number, string_agg(id, ' ' order by position) as ids
  from ordered
  group by 1
)
select (select base from data_revision) + (select count(*) from data_change) as revision,
       (select count(*) from marked where listed)::integer as total,
       (select count(*) from marked where listed and area is not null)::integer as measured,
       (select count(*) from marked where listed and not has_geometry)::integer as without_geometry,
       (select coalesce(sum(area), 0) from marked where listed and (direct or $3::text = 'level')) as area,
       coalesce((select jsonb_agg(jsonb_build_object('admin_level', o.admin_level, 'count', o.count) order by o.admin_level)
                 from (select admin_level, count(*) from marked where direct and not listed group by 1) o),
                '[]'::jsonb) as other_levels,
       array(select ids from piece order by number) as pieces

-- name: boundary_coded
-- params: $1 codes with their schemes, in lower case
-- returns: the boundaries that have one of them, with it, and the revision of the data; if none has, one row with only
--   the revision
with found as (
  -- Looked up one by one: the planner cannot know how few boundaries a code has.
  select k.key, b.id
  from unnest($1::text[]) as k (key)
  cross join lateral (
    select c.id from boundary c
    where c.code_ids is not null and code_keys(c.code_ids) @> array[k.key]
    offset 0
  ) b
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true

-- name: boundary_code_schemes
-- params: $1 schemes of codes, each with its colon
-- returns: those that a boundary has a code of
select s.scheme
from unnest($1::text[]) as s (scheme)
where exists (
  select from boundary c where c.code_ids is not null and code_keys(c.code_ids) @> array[s.scheme]
)

-- name: boundary_count
-- params: nothing
-- returns: how many boundaries are stored, counted up to a thousand
-- not null: count
select count(*)::integer as count from (select from boundary limit 1000) b

-- name: boundary_has_children
-- params: $1 a canonical id, $2 its own admin_level or null, $3 the admin_level wanted or null for any
-- returns: whether it has administrative descendants of that level
-- prepared: planned once per session, because planning takes longer than running
select exists (
  select from boundary_parent p
  join boundary b on b.id = p.child
  where p.parent = $1 and b.type = 'administrative'
    and (b.admin_level is null or $2::integer is null or b.admin_level > $2::integer)
    and ($3::integer is null or b.admin_level = $3::integer)
) as found

-- name: boundary_has_postcodes
-- params: $1 country codes
-- returns: for each, whether one of its postcode areas is stored with a polygon, and the revision of the data
select asked.country,
       exists (select from boundary b where b.type = 'postal_code' and b.country = asked.country and b.has_geometry) as mapped,
       (select base from data_revision) + (select count(*) from data_change) as revision
from unnest($1::text[]) as asked (country)

-- name: boundary_names
-- params: $1 canonical ids, $2 first subtags of languages in lower case, null for all
-- returns: the names of each boundary in these languages, with the revision of the data; if none is stored, one row
--   with only the revision
-- prepared: planned once per session, because planning takes longer than running
with found as (
  select b.id,
         case when $2::text[] is null then b.names
              else coalesce((select jsonb_object_agg(n.key, n.value) from jsonb_each(b.names) n
                             where lower(split_part(n.key, '-', 1)) = any ($2::text[])), '{}'::jsonb) end as names
  from boundary b
  where b.id = any ($1::text[])
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true

-- name: boundary_neighbors
-- params: $1 a canonical id, $2 the ids of its arcs (negative: reversed) and $3 the length of each in meters, $4 and $5
--   longitude and latitude (1e-7 degrees) of their end vertices and $6 the same as hexadecimal digits of two
--   little-endian integers, $7 which boundaries: 'level' (administrative ones of level $8, null: without a level),
--   'postal_code' or 'all'
-- returns: one row: the revision of the data, the boundaries on the other side of the arcs with the shared meters,
--   longest first, the meters shared with any, the ends of other boundaries' arcs at the vertices (boundary, vertex
--   counted from 1, whether its ring leaves there, the next vertex), and the boundaries whose arcs cross or overlap the
--   arcs
-- not null: revision, ids, meters, shared, ray_ids, ray_vertices, ray_leaves, ray_beyond, crossing
with own as materialized (
  select o.ref, o.meters from unnest($2::bigint[], $3::float8[]) as o (ref, meters)
),
-- Enclosing and enclosed boundaries are on the same side.
relative as materialized (
  select parent as id from boundary_parent where child = $1
  union
  select child from boundary_parent where parent = $1
),
around as materialized (
  select s.boundary_id as id, s.arcs
  from boundary_shape s
  -- One by one, as the planner cannot know how few arcs meet.
  cross join lateral (select type, admin_level from boundary where id = s.boundary_id offset 0) b
  where s.arc_ids && array(select abs(ref) from own) and s.boundary_id <> $1
    and case $7::text
          when 'all' then true
          when 'postal_code' then b.type = 'postal_code'
          else b.type = 'administrative' and b.admin_level is not distinct from $8::integer
        end
),
shared as materialized (
  select around.id, own.ref, own.meters
  from around
  cross join unnest(around.arcs) as r (ref)
  join own on own.ref = -r.ref
),
line as materialized (
  select id, sum(meters) as meters from shared group by id
),
meeting as materialized (
  select n.number, a.id as arc, f.is_first,
         encode(case when f.is_first then substring(a.coords from 9 for 8)
                     else substring(a.coords from length(a.coords) - 15 for 8) end, 'hex') as beyond
  from unnest($4::float8[], $5::float8[], $6::text[]) with ordinality as n (x, y, key, number)
  join arc a on a.box && box(point(n.x, n.y), point(n.x, n.y)) and a.arrangement = 0
  cross join (values (true), (false)) as f (is_first)
  where encode(case when f.is_first then substring(a.coords from 1 for 8)
                    else substring(a.coords from length(a.coords) - 7 for 8) end, 'hex') = n.key
),
point_only as materialized (
  select s.boundary_id as id, s.arcs
  from boundary_shape s
  cross join lateral (select type, admin_level from boundary where id = s.boundary_id offset 0) b
  where s.arc_ids && array(select distinct arc from meeting where not exists (select from own where abs(own.ref) = arc))
    and s.boundary_id <> $1
    and not exists (select from line where line.id = s.boundary_id)
    and not exists (select from relative where relative.id = s.boundary_id)
    and case $7::text
          when 'all' then true
          when 'postal_code' then b.type = 'postal_code'
          else b.type = 'administrative' and b.admin_level is not distinct from $8::integer
        end
),
ray as materialized (
  select p.id, m.number, (r.ref > 0) = m.is_first as leaves, m.beyond
  from point_only p
  cross join unnest(p.arcs) as r (ref)
  join meeting m on m.arc = abs(r.ref)
),
conflict as materialized (
  select c.b as arc from own join arc_conflict c on c.a = abs(own.ref)
  union
  select c.a from own join arc_conflict c on c.b = abs(own.ref)
),
crossing as materialized (
  select s.boundary_id as id
  from boundary_shape s
  cross join lateral (select type, admin_level from boundary where id = s.boundary_id offset 0) b
  where s.arc_ids && array(select arc from conflict) and s.boundary_id <> $1
    and not exists (select from relative where relative.id = s.boundary_id)
    and case $7::text
          when 'all' then true
          when 'postal_code' then b.type = 'postal_code'
          else b.type = 'administrative' and b.admin_level is not distinct from $8::integer
        end
)
select (select base from data_revision) + (select count(*) from data_change) as revision,
       array(select id from line order by meters desc, id collate "C") as ids,
       array(select meters from line order by meters desc, id collate "C") as meters,
       (select coalesce(sum(meters), 0) from (select distinct ref, meters from shared) once) as shared,
       array(select id from ray order by id collate "C", number, beyond, leaves) as ray_ids,
       array(select number::integer from ray order by id collate "C", number, beyond, leaves) as ray_vertices,
       array(select leaves from ray order by id collate "C", number, beyond, leaves) as ray_leaves,
       array(select beyond from ray order by id collate "C", number, beyond, leaves) as ray_beyond,
       array(select id from crossing order by id collate "C") as crossing

-- name: boundary_near_boxes
-- params: $1 to $4 boxes (west, south, east, north; 1e-7 degrees), $5 an admin_level, or null for all, $6 how many rows
--   at most
-- returns: the official administrative boundaries whose boxes meet each box (box: its number, from 1), and the revision
--   of the data; without any, one row with only the revision
-- not null: revision
with found as (
  select q.box, b.id
  from unnest($1::float8[], $2::float8[], $3::float8[], $4::float8[]) with ordinality as q (west, south, east, north, box)
  cross join lateral shapes_meeting(st_makeenvelope(q.west / 1e7, q.south / 1e7, q.east / 1e7, q.north / 1e7, 4326)) as s (id)
  cross join lateral (select id, type, admin_level from boundary where id = s.id offset 0) b
  where b.type = 'administrative' and ($5::integer is null or b.admin_level = $5::integer)
)
select r.revision, listed.box, listed.id
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join (select box, id from found order by box, id collate "C" limit $6::integer) listed on true
order by listed.box, listed.id collate "C"

-- name: boundary_overlaid
-- params: $1 a canonical id, $2 which official boundaries: 'all', 'administrative' or 'level' (administrative ones of
--   level $3), $4 how many rows at most
-- returns: the boundaries whose boxes meet that of the boundary and whose borders are not of one arrangement with its
--   own (those of area sets beside an official one, official ones and those of other sets beside an area of a set):
--   areas of sets first, then the lowest admin level; how many they are; and the revision of the data; without any, one
--   row with only the revision
-- not null: revision
with own as materialized (
  select s.geom, b.source, b.source like 'set:%' as in_set
  from boundary_shape s
  join boundary b on b.id = s.boundary_id
  where s.boundary_id = $1
),
found as (
  select b.id, b.source like 'set:%' as in_set, b.admin_level
  from own
  cross join lateral shapes_meeting(own.geom) as s (id)
  cross join lateral (select id, type, admin_level, source from boundary where id = s.id offset 0) b
  where b.source <> own.source
    and (b.source like 'set:%'
      or own.in_set and case $2::text
                          when 'all' then true
                          when 'administrative' then b.type = 'administrative'
                          else b.type = 'administrative' and b.admin_level = $3::integer
                        end)
)
select r.revision, listed.id, listed.total
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join (select id, count(*) over () as total, in_set, admin_level from found
           order by in_set desc, admin_level, id collate "C" limit $4::integer) listed on true
order by listed.in_set desc, listed.admin_level, listed.id collate "C"

-- name: boundary_resolve
-- params: $1 canonical ids, $2 wikidata ids, $3 ISO 3166 codes
-- returns: the input (form, key) with a row for each boundary it matches, aliases resolved, with its parents, outermost
--   first, and the revision of the data; if nothing matches, one row with only the revision
-- types: validity readonly (string | null)[]
-- prepared: planned once per session, because planning takes longer than running
with asked as (
  select 'osm' as form, unnest($1::text[]) as key
  union all
  select 'wikidata', unnest($2::text[])
  union all
  select 'iso', unnest($3::text[])
),
named as (
  select a.form, a.key, b.id from asked a join boundary b on b.id = a.key where a.form = 'osm'
  union
  select a.form, a.key, l.boundary_id from asked a join boundary_alias l on l.id = a.key
  where a.form = 'osm' and not exists (select from boundary b where b.id = a.key)
  union
  select a.form, a.key, b.id from asked a join boundary b on b.wikidata = a.key where a.form = 'wikidata'
  union
  select a.form, a.key, b.id from asked a join boundary b on b.iso = a.key where a.form = 'iso'
  union
  select a.form, a.key, b.id from asked a join boundary b on b.country_code = a.key where a.form = 'iso'
  union
  -- A code of a seed boundary whose place a boundary with another one took.
  select a.form, a.key, l.boundary_id from asked a join boundary_alias l on l.id = a.form || ':' || a.key
  where a.form <> 'osm'
),
found as (
  select named.form, named.key,
         b.id, b.type, b.name, b.kind, b.admin_level, b.country, b.countries, b.disputed, b.iso, b.wikidata,
         b.population, b.inherited, b.code_ids, b.version, b.west, b.south, b.east, b.north, b.lat, b.lon, b.area_km2, b.has_geometry, b.broken, b.stale,
         encode(b.ring_hash, 'hex') as ring_hash, encode(b.meta_hash, 'hex') as meta_hash, b.imported_at,
         s.id as source, s.name as source_name, s.url as source_url, s.licence as license, s.attribution, s.seed,
         s.position as source_position, validity_of(b.id) as validity,
         coalesce((select jsonb_agg(jsonb_build_object('id', q.id, 'name', q.name, 'kind', q.kind, 'admin_level', q.admin_level)
                                    order by p.position, p.parent)
                   from boundary_parent p join boundary q on q.id = p.parent
                   where p.child = b.id), '[]'::jsonb) as parents
  from named
  join boundary b on b.id = named.id
  join source s on s.id = b.source
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true

-- name: boundary_shapes
-- params: $1 canonical ids
-- returns: the columns that a merge needs of each stored boundary, with the revision of the data; if none is stored,
--   one row with only the revision
-- prepared: planned once per session, because planning takes longer than running
with found as (
  select b.id, b.name, b.admin_level, b.has_geometry, b.broken, encode(b.ring_hash, 'hex') as ring_hash,
         s.id as source, s.name as source_name, s.url as source_url, s.licence as license, s.attribution, s.seed
  from boundary b
  join source s on s.id = b.source
  where b.id = any ($1::text[])
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true
