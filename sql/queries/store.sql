-- name: store_analyze
-- params: nothing
-- returns: nothing. Updates the planner's statistics after an import; the embedded database has no autovacuum
vacuum (analyze) arc, arc_conflict, way, boundary, boundary_shape, shape_apart, boundary_name, boundary_parent

-- name: store_analyze_built
-- params: nothing
-- returns: nothing. Within a transaction that wrote many boundaries: without statistics the arcs around the next ones
--   are
--   looked up with a plan that reads all conflicts for each arc
analyze arc, arc_conflict, boundary, boundary_shape, boundary_name

-- name: store_analyze_conflicts
-- params: nothing
-- returns: nothing. To delete an arc, the server looks up its conflicts with a plan that the session keeps until the
--   statistics change: one made while the table had few rows reads all of it for each arc
analyze arc_conflict

-- name: store_analyze_written
-- params: nothing
-- returns: nothing. Within a transaction that wrote many boundaries, their names are joined with a plan that reads all
--   of
--   them for each boundary, unless there are statistics
analyze boundary, boundary_name

-- name: store_settle_names
-- params: nothing
-- returns: the pages freed. New names go to a pending list (gin_pending_list_limit, 4 MB) that every search reads in
--   full; the vacuum after an import empties it, and this statement does after a few boundaries. Only the index owner
--   may run it
select gin_clean_pending_list(oid) as pages
from pg_class
where oid = 'boundary_name_trigram'::regclass and pg_has_role(relowner, 'usage')

-- name: store_arc_ids
-- params: $1 hashes, $2 an arrangement
-- returns: the id of each arc that is stored in the arrangement
select id, hash from arc where hash = any ($1::bytea[]) and arrangement = $2::smallint

-- name: store_arc_reach
-- params: $1 arc ids
-- returns: the dependency cells of each: what its tiers depend on
select id, reach from arc where id = any ($1::bigint[])

-- name: store_arcs
-- params: $1 arc ids
-- returns: the columns that the topology writer needs
-- not null: conflicted
with conflicted as materialized (
  -- Looked up together: for each arc alone, an estimate before there are statistics may read the whole table.
  select c.a as id from arc_conflict c where c.a = any ($1::bigint[])
  union all
  select c.b from arc_conflict c where c.b = any ($1::bigint[])
)
select a.id, a.hash, a.coords, a.weights, a.ends, a.exact, a.class, a.main,
       a.id in (select k.id from conflicted k) as conflicted
from arc a
where a.id = any ($1::bigint[])

-- name: store_arcs_around
-- params: $1..$4 boxes (west, south, east, north; 1e-7 degrees), $5 the largest class wanted in each, $6 ids of arcs
--   already loaded, $7 an arrangement
-- returns: the columns the topology writer needs, of the other arcs of the arrangement whose box intersects one of the
--   boxes
-- not null: conflicted
with met as materialized (
  select distinct a.id
  from unnest($1::float8[], $2::float8[], $3::float8[], $4::float8[], $5::integer[]) as q (west, south, east, north, class)
  join arc a on a.box && box(point(q.east, q.north), point(q.west, q.south)) and a.class <= q.class
  where a.arrangement = $7::smallint
), conflicted as materialized (
  -- Looked up together: for each arc alone, an estimate before there are statistics may read the whole table.
  select c.a as id from arc_conflict c where c.a = any (array(select m.id from met m))
  union all
  select c.b from arc_conflict c where c.b = any (array(select m.id from met m))
)
select a.id, a.hash, a.coords, a.weights, a.ends, a.exact, a.class, a.main,
       a.id in (select k.id from conflicted k) as conflicted
from met
join arc a on a.id = met.id
where not exists (select from unnest($6::bigint[]) as known (id) where known.id = met.id)

-- name: store_begin_run
-- params: $1 source, $2 file
-- returns: the number of a new import run
insert into import_run (source, file) values ($1, $2) returning id

-- name: store_boundaries
-- params: $1 boundary ids, $2 a source, $3 ids within that source, $4 way ids
-- returns: the stored rows that an import may touch
-- not null: meta_hash
-- types: ways number[]
with found as (
  select id from boundary where id = any ($1::text[])
  union
  select id from boundary where source = $2 and source_id = any ($3::text[])
  union
  -- One index lookup per way: && with a long array compares every element with every other.
  select b.id from unnest($4::bigint[]) as w (id) join boundary b on b.ways @> array[w.id]
)
select b.id, b.source, b.source_id, b.source_version, b.version, b.imported_at, b.type, b.name, b.admin_level, b.ways,
       b.has_geometry, encode(b.meta_hash, 'hex') as meta_hash, encode(b.geometry_hash, 'hex') as geometry_hash,
       b.area_km2, s.seed, b.tags ->> 'type' as relation_type, b.stale ->> 'since' as stale_since
from found
join boundary b on b.id = found.id
join source s on s.id = b.source

-- name: store_conflict_partners
-- params: $1 arc ids
-- returns: the arcs that meet one of them other than at a shared end
-- not null: id
select c.b as id from arc_conflict c where c.a = any ($1::bigint[])
union
select c.a from arc_conflict c where c.b = any ($1::bigint[])

-- name: store_drop_boundaries
-- params: $1 boundary ids
-- returns: nothing
delete from boundary where id = any ($1::text[])

-- name: store_drop_dead_arcs
-- params: $1 arc ids
-- returns: the ids of the arcs that no shape uses any more, in whatever arrangement, now deleted
delete from arc
where id in (
  select c.id from unnest($1::bigint[]) as c (id)
  where not exists (select from boundary_shape s where s.arc_ids @> array[c.id])
    and not exists (select from shape_apart s where s.arc_ids @> array[c.id])
)
returning id

-- name: store_drop_shapes_apart
-- params: $1 an arrangement, $2 boundary ids
-- returns: nothing
delete from shape_apart where arrangement = $1::smallint and boundary_id = any ($2::text[])

-- name: store_drop_raw
-- params: $1 relation ids, $2 way ids
-- returns: nothing. Deletes these relations, and the ways that no boundary uses or used when it was deleted
with relations as (
  delete from osm_relation where id = any ($1::bigint[])
)
delete from way w
where w.id = any ($2::bigint[]) and not exists (select from boundary b where b.ways @> array[w.id])
  and not exists (select from boundary_gone g where g.ways @> array[w.id] and w.node_refs is not null)

-- name: store_edition_days
-- params: arrays of boundary ids, sources, types and levels (null: none)
-- returns: of each that editions have up to today, or whose source, type and level they have, the day of the last one
-- not null: id, day
with layer as materialized (
  select e.source, l.type, l.admin_level, max(e.valid_from) as day
  from edition e
  join edition_layer l on l.edition = e.id
  where e.source = any ($2::text[]) and e.valid_from <= day_of(now())
  group by e.source, l.type, l.admin_level
)
select a.id, a.day::text as day
from (
  select n.id, greatest((select l.day from layer l
                         where l.source = n.source and l.type = n.type and l.admin_level is not distinct from n.level),
                        (select max(i.valid_from)
                         from edition_interval i
                         where i.boundary_id = n.id and i.recorded_to is null and i.valid_from <= day_of(now()))) as day
  from unnest($1::text[], $2::text[], $3::text[], $4::integer[]) as n (id, source, type, level)
) a
where a.day is not null

-- name: store_end_run
-- params: $1 import run, $2 its summary as JSON
-- returns: nothing
update import_run set finished_at = now(), summary = $2::jsonb where id = $1

-- name: store_former_arcs
-- params: $1 boundary ids, $2 an arrangement
-- returns: the arcs that their shapes in the arrangement use, in the columns that the topology writer needs
-- not null: conflicted
with used as materialized (
  select r.id
  from boundary_shape s
  cross join unnest(s.arc_ids) as r (id)
  where s.boundary_id = any ($1::text[]) and $2::smallint = 0
  union
  select r.id
  from shape_apart s
  cross join unnest(s.arc_ids) as r (id)
  where s.arrangement = $2::smallint and s.boundary_id = any ($1::text[])
), conflicted as materialized (
  -- Looked up together: for each arc alone, an estimate before there are statistics may read the whole table.
  select c.a as id from arc_conflict c where c.a = any (array(select m.id from used m))
  union all
  select c.b from arc_conflict c where c.b = any (array(select m.id from used m))
)
select a.id, a.hash, a.coords, a.weights, a.ends, a.exact, a.class, a.main,
       a.id in (select k.id from conflicted k) as conflicted
from used u
join arc a on a.id = u.id

-- name: store_has_near
-- params: $1..$4 boxes (west, south, east, north; 1e-7 degrees), $5 an arrangement
-- returns: whether the box of any arc of the arrangement intersects one of them
-- not null: near
select exists (
  select from unnest($1::float8[], $2::float8[], $3::float8[], $4::float8[]) as q (west, south, east, north)
  join arc a on a.box && box(point(q.east, q.north), point(q.west, q.south))
  where a.arrangement = $5::smallint
) as near

-- name: store_new_ids
-- params: $1 how many
-- returns: that many new numbers for boundaries without an OpenStreetMap id
select nextval('local_boundary_id') as number from generate_series(1, $1::integer)

-- name: store_owners
-- params: $1 arc ids of one arrangement, $2 boundary ids to leave out
-- returns: the stored rings of the boundaries that use one of the arcs, in its arrangement
-- not null: id, arcs, ring_end, polygon_end, largest, type
-- types: type 'administrative' | 'postal_code'
with owner as materialized (
  select distinct s.boundary_id
  from unnest($1::bigint[]) as r (id)
  join boundary_shape s on s.arc_ids @> array[r.id]
), apart as materialized (
  select distinct s.arrangement, s.boundary_id
  from unnest($1::bigint[]) as r (id)
  join shape_apart s on s.arc_ids @> array[r.id]
)
select s.boundary_id as id, s.arcs, s.ring_end, s.polygon_end, s.largest, b.admin_level, b.type
from owner
join boundary_shape s on s.boundary_id = owner.boundary_id
join boundary b on b.id = s.boundary_id
where not exists (select from unnest($2::text[]) as x (id) where x.id = s.boundary_id)
union all
select s.boundary_id, s.arcs, s.ring_end, s.polygon_end, s.largest, s.admin_level, s.type
from apart
join shape_apart s on s.arrangement = apart.arrangement and s.boundary_id = apart.boundary_id
where not exists (select from unnest($2::text[]) as x (id) where x.id = s.boundary_id)

-- name: store_places
-- params: $1 relation ids
-- returns: the known positions of their label and admin_centre nodes, in member order
-- not null: role, x, y
select r.id, m.role, n.x, n.y
from osm_relation r
cross join unnest(string_to_array(r.member_types, null), r.member_refs, r.member_roles)
  with ordinality as m (type, ref, role, at)
join osm_node n on n.id = m.ref
where r.id = any ($1::bigint[]) and m.type = 'n' and m.role in ('label', 'admin_centre', 'admin_center')
  and n.x is not null
order by r.id, m.at

-- name: store_put_aliases
-- params: arrays of alias and boundary id
-- returns: nothing. An alias of an alias is redirected to the new boundary
with followed as (
  update boundary_alias a set boundary_id = p.boundary_id
  from unnest($1::text[], $2::text[]) as p (id, boundary_id)
  where a.boundary_id = p.id
)
insert into boundary_alias (id, boundary_id)
select * from unnest($1::text[], $2::text[])
on conflict (id) do update set boundary_id = excluded.boundary_id

-- name: store_put_arcs
-- params: arrays of hash, coords, weights, ends, exact, area, turn, west, south, east, north, class, main, reach and
--   the west, south, east, north of the reach; $19 the arrangement of all
-- returns: the id of each
insert into arc (hash, coords, weights, ends, exact, area, turn, box, class, main, reach, reach_box, revision, arrangement)
select hash, coords, weights, ends, exact, area, turn, box(point(east, north), point(west, south)),
       class, main, reach, box(point(reach_east, reach_north), point(reach_west, reach_south)), nextval('arc_revision'),
       $19::smallint
from unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[], $5::integer[], $6::float8[], $7::float8[],
            $8::float8[], $9::float8[], $10::float8[], $11::float8[], $12::integer[], $13::boolean[], $14::bytea[],
            $15::float8[], $16::float8[], $17::float8[], $18::float8[])
     as a (hash, coords, weights, ends, exact, area, turn, west, south, east, north, class, main, reach,
           reach_west, reach_south, reach_east, reach_north)
returning id, hash

-- name: store_put_boundaries
-- params: $1 boundaries as a JSON array of rows without their shape
-- returns: nothing. Keeps the shape columns of a row that is already stored
insert into boundary
select * from jsonb_populate_recordset(null::boundary, $1::jsonb)
on conflict (id) do update
set source = excluded.source, source_id = excluded.source_id, source_version = excluded.source_version,
    version = excluded.version, imported_at = excluded.imported_at, type = excluded.type, name = excluded.name,
    names = excluded.names, kind = excluded.kind, kind_given = excluded.kind_given, kind_known = excluded.kind_known,
    admin_level = excluded.admin_level, country = excluded.country, countries = excluded.countries,
    disputed = excluded.disputed, country_given = excluded.country_given, country_code = excluded.country_code,
    iso = excluded.iso, wikidata = excluded.wikidata, population = excluded.population, tags = excluded.tags,
    place = excluded.place, subareas = excluded.subareas, other_names = excluded.other_names,
    codes = excluded.codes, code_ids = excluded.code_ids, ways = excluded.ways, meta_hash = excluded.meta_hash, inherited = excluded.inherited

-- name: store_put_conflicts
-- params: arrays of arc a, arc b, kind, x, y
-- returns: nothing
insert into arc_conflict (a, b, kind, x, y)
select least(a, b), greatest(a, b), kind, x, y
from unnest($1::bigint[], $2::bigint[], $3::text[], $4::integer[], $5::integer[]) as c (a, b, kind, x, y)
on conflict do nothing

-- name: store_put_geometry
-- params: $1 a JSON array of rows with the columns that describe a shape, or the reason why there is none
-- returns: nothing. Another shape was stored now, also where only its ways changed; the same one keeps its time
with given as (
  select * from jsonb_populate_recordset(null::boundary, $1::jsonb)
), dropped as (
  delete from boundary_shape where boundary_id in (select id from given where not has_geometry)
)
update boundary b
set version = g.version, west = g.west, south = g.south, east = g.east, north = g.north, lat = g.lat, lon = g.lon,
    area_km2 = g.area_km2, has_geometry = g.has_geometry, broken = g.broken, stale = null,
    geometry_hash = g.geometry_hash, ring_hash = g.ring_hash,
    imported_at = case when b.geometry_hash is distinct from g.geometry_hash then g.imported_at else b.imported_at end
from given g
where b.id = g.id

-- name: store_put_nodes
-- params: $1 nodes as a JSON array of {id, version, tags, x, y}
-- returns: nothing. An older version never replaces a newer one
insert into osm_node (id, version, tags, x, y)
select id, version, tags, x, y from jsonb_populate_recordset(null::osm_node, $1::jsonb)
on conflict (id) do update
set version = excluded.version, tags = excluded.tags, x = excluded.x, y = excluded.y
where osm_node.version <= excluded.version and osm_node is distinct from excluded

-- name: store_put_relations
-- params: $1 relations as a JSON array
-- returns: nothing. An older version never replaces a newer one
insert into osm_relation
select * from jsonb_populate_recordset(null::osm_relation, $1::jsonb)
on conflict (id) do update
set version = excluded.version, tags = excluded.tags, member_types = excluded.member_types,
    member_refs = excluded.member_refs, member_roles = excluded.member_roles
where osm_relation.version <= excluded.version and osm_relation is distinct from excluded

-- name: store_put_shapes
-- params: arrays of boundary id, arcs, ring ends, polygon ends, distinct arc ids (each the text of an array), the index
--   of the largest polygon, EWKB
-- returns: nothing
insert into boundary_shape (boundary_id, arcs, ring_end, polygon_end, arc_ids, largest, geom)
select boundary_id, arcs::bigint[], ring_end::integer[], polygon_end::integer[], arc_ids::bigint[], largest, st_geomfromewkb(geom)
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::bytea[])
     as s (boundary_id, arcs, ring_end, polygon_end, arc_ids, largest, geom)
on conflict (boundary_id) do update
set arcs = excluded.arcs, ring_end = excluded.ring_end, polygon_end = excluded.polygon_end,
    arc_ids = excluded.arc_ids, largest = excluded.largest, geom = excluded.geom

-- name: store_put_shapes_apart
-- params: $1 shapes as a JSON array of rows
-- returns: nothing. Those that are the same stay as they are, so that the past does not record them again
insert into shape_apart
select * from jsonb_populate_recordset(null::shape_apart, $1::jsonb)
on conflict (arrangement, boundary_id) do update
set type = excluded.type, admin_level = excluded.admin_level, arcs = excluded.arcs, ring_end = excluded.ring_end,
    polygon_end = excluded.polygon_end, arc_ids = excluded.arc_ids, largest = excluded.largest, west = excluded.west,
    south = excluded.south, east = excluded.east, north = excluded.north, lat = excluded.lat, lon = excluded.lon,
    area_km2 = excluded.area_km2, geometry_hash = excluded.geometry_hash, ring_hash = excluded.ring_hash
where (shape_apart.type, shape_apart.admin_level, shape_apart.arcs, shape_apart.ring_end, shape_apart.polygon_end,
       shape_apart.largest, shape_apart.lat, shape_apart.lon, shape_apart.area_km2, shape_apart.geometry_hash,
       shape_apart.ring_hash)
      is distinct from
      (excluded.type, excluded.admin_level, excluded.arcs, excluded.ring_end, excluded.polygon_end, excluded.largest,
       excluded.lat, excluded.lon, excluded.area_km2, excluded.geometry_hash, excluded.ring_hash)

-- name: store_sources
-- params: nothing
-- returns: all sources that data was stored from: whether each is seed data, and whether an import ever finished
select id, seed,
       exists (select from import_run r where r.source = source.id and r.finished_at is not null) as whole
from source

-- name: store_put_source
-- params: id, name, url, licence, attribution, resolution, seed, reference system, accuracy in meters, edition, whether
--   its areas end at the shore
-- returns: nothing
insert into source (id, name, url, licence, attribution, resolution, seed, reference_system, accuracy_m, edition, land)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
on conflict (id) do update
set name = excluded.name, url = excluded.url, licence = excluded.licence, attribution = excluded.attribution,
    resolution = excluded.resolution, seed = excluded.seed, reference_system = excluded.reference_system,
    accuracy_m = excluded.accuracy_m, edition = excluded.edition, land = excluded.land, imported_at = now()

-- name: store_put_versions
-- params: $1 versions as a JSON array of rows
-- returns: nothing. A new live version replaces the previous live one
with put as (
  insert into boundary_version
  select * from jsonb_populate_recordset(null::boundary_version, $1::jsonb)
  on conflict do nothing
  returning boundary_id, version, live
)
update boundary_version v set live = false
from put
where put.live and v.boundary_id = put.boundary_id and v.version <> put.version and v.live

-- name: store_put_ways
-- params: arrays of id, version, tags (JSON text), node refs (array text or null), coords, missing node, positions as
--   far as known
-- returns: nothing
insert into way (id, version, tags, node_refs, coords, missing_node, places)
select id, version, tags::jsonb, node_refs::bigint[], coords, missing_node, places
from unnest($1::bigint[], $2::integer[], $3::text[], $4::text[], $5::bytea[], $6::bigint[], $7::bytea[])
     as w (id, version, tags, node_refs, coords, missing_node, places)
on conflict (id) do update
set version = excluded.version, tags = excluded.tags, node_refs = excluded.node_refs, coords = excluded.coords,
    missing_node = excluded.missing_node, places = excluded.places

-- name: store_reach_around
-- params: $1..$4 boxes (west, south, east, north; 1e-7 degrees), $5 an arrangement
-- returns: the arcs of the arrangement whose tiers may depend on something in one of the boxes, with their dependency
--   cells
select distinct on (a.id) a.id, a.reach
from unnest($1::float8[], $2::float8[], $3::float8[], $4::float8[]) as q (west, south, east, north)
join arc a on a.reach_box && box(point(q.east, q.north), point(q.west, q.south))
where a.arrangement = $5::smallint

-- name: store_recut_shapes
-- params: $1 shapes as a JSON array: arrangement, boundary_id, arcs, ring_end, arc_ids
-- returns: nothing. Stores the same geometry with its arcs split more finely
with recut as (
  select * from jsonb_populate_recordset(null::shape_apart, $1::jsonb)
), apart as (
  update shape_apart s
  set arcs = r.arcs, ring_end = r.ring_end, arc_ids = r.arc_ids
  from recut r
  where s.arrangement = r.arrangement and s.boundary_id = r.boundary_id
)
update boundary_shape s
set arcs = r.arcs, ring_end = r.ring_end, arc_ids = r.arc_ids
from recut r
where r.arrangement = 0 and s.boundary_id = r.boundary_id

-- name: store_set_data_at
-- params: a source, the time of its data
-- returns: nothing. The time never moves back
update source set data_at = greatest(data_at, $2::timestamptz) where id = $1

-- name: store_set_ring_hashes
-- params: $1 boundary ids, $2 an arrangement
-- returns: nothing. ring_hash covers the arcs, with their ids, and everything that determines a tier, regardless of
--   where rings start. An id is never used again: two shapes with one ring_hash consist of the same rows of arc
with shape as (
  select boundary_id, arcs, ring_end, polygon_end
  from boundary_shape
  where boundary_id = any ($1::text[]) and $2::smallint = 0
  union all
  select boundary_id, arcs, ring_end, polygon_end
  from shape_apart
  where arrangement = $2::smallint and boundary_id = any ($1::text[])
), h as (
  select s.boundary_id,
         sha256(convert_to(cardinality(s.ring_end)::text || ' ' || cardinality(s.polygon_end)::text, 'UTF8') || string_agg(
           a.hash || int8send(r.ref) || sha256(a.weights || a.ends || int8send(a.exact)),
           ''::bytea order by a.hash)) as ring_hash
  from shape s
  cross join unnest(s.arcs) as r (ref)
  join arc a on a.id = abs(r.ref)
  group by s.boundary_id, s.ring_end, s.polygon_end
), apart as (
  update shape_apart s
  set ring_hash = h.ring_hash
  from h
  where s.arrangement = $2::smallint and h.boundary_id = s.boundary_id and s.ring_hash is distinct from h.ring_hash
)
update boundary b
set ring_hash = h.ring_hash
from h
where $2::smallint = 0 and h.boundary_id = b.id and b.ring_hash is distinct from h.ring_hash

-- name: store_set_roles
-- params: arrays of arc id, class, main, reach (null: unchanged) and the west, south, east, north of the reach
-- returns: nothing
update arc
set class = t.class, main = t.main, reach = coalesce(t.reach, arc.reach),
    reach_box = case when t.reach is null then arc.reach_box else box(point(east, north), point(west, south)) end
from unnest($1::bigint[], $2::integer[], $3::boolean[], $4::bytea[], $5::float8[], $6::float8[], $7::float8[], $8::float8[])
     as t (id, class, main, reach, west, south, east, north)
where arc.id = t.id

-- name: store_set_stale
-- params: $1 a JSON array of {id, version, stale}
-- returns: nothing. Keeps the last good shape
update boundary b
set version = g.version, stale = g.stale
from jsonb_populate_recordset(null::boundary, $1::jsonb) g
where b.id = g.id

-- name: store_set_tiers
-- params: arrays of arc id, weights, ends, exact
-- returns: nothing. Each of the arcs has a new revision
update arc
set weights = t.weights, ends = t.ends, exact = t.exact, revision = nextval('arc_revision')
from unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::integer[]) as t (id, weights, ends, exact)
where arc.id = t.id

-- name: store_users
-- params: $1 arc ids of one arrangement
-- returns: the boundaries that use one of them in its arrangement
-- not null: id
select s.boundary_id as id
from unnest($1::bigint[]) as r (id)
join boundary_shape s on s.arc_ids @> array[r.id]
union
select s.boundary_id
from unnest($1::bigint[]) as r (id)
join shape_apart s on s.arc_ids @> array[r.id]

-- name: store_ways
-- params: $1 way ids
-- returns: the stored ways
select id, version, coords, missing_node from way where id = any ($1::bigint[])

-- name: store_ways_of_boundaries
-- params: $1 boundary ids
-- returns: the ids that are stored, each with the ways of its border
select id, ways from boundary where id = any ($1::text[])
