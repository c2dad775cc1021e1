-- name: land_coast_around
-- params: $1..$4 boxes (west, south, east, north; 1e-7 degrees), $5 a source
-- returns: the coast lines of the source whose box meets one of them
select l.id, l.coords
from coast_line l
where l.source = $5
  and exists (select from unnest($1::float8[], $2::float8[], $3::float8[], $4::float8[]) as q (west, south, east, north)
              where l.box && box(point(q.east, q.north), point(q.west, q.south)))
order by l.id

-- name: land_coast_missing
-- params: $1 a source of coast, $2 ids of lines that a file has, $3 boundaries that it has whole, $4 the id after which
--   to
--   begin, $5 how many at most
-- returns: the other lines of the source whose box meets that of one of these boundaries, with up to nine of their
--   vertices, from the first to the last, and their extent (width and height of the box) in 1e-7 degrees
-- not null: vertices, extent
with boxes as materialized (
  select box(point(case when b.west > b.east then 1.8e9 else b.east end, b.north),
             point(case when b.west > b.east then -1.8e9 else b.west end, b.south)) as box
  from boundary b
  where b.id = any ($3::text[]) and b.has_geometry
)
select l.id, l.data_at, ((l.box[0])[0] - (l.box[1])[0] + (l.box[0])[1] - (l.box[1])[1]) as extent,
       (select string_agg(substr(l.coords, 1 + 8 * ((octet_length(l.coords) / 8 - 1) * k / 8), 8), ''::bytea order by k)
        from generate_series(0, 8) k) as vertices
from coast_line l
where l.source = $1
  and not exists (select from unnest($2::bigint[]) as f (id) where f.id = l.id)
  and exists (select from boxes q where q.box && l.box)
  and l.id > $4::bigint
order by l.id
limit $5::integer

-- name: land_boundaries_at
-- params: arrays of x, y (1e-7 degrees), $3 a source
-- returns: the index of each point with the administrative boundaries of the source whose box contains it
-- not null: point, ring_hash, west, south, east, north, area_km2
select q.n::integer - 1 as point, b.id, encode(b.ring_hash, 'hex') as ring_hash, b.west, b.south, b.east, b.north,
       b.area_km2
from unnest($1::float8[], $2::float8[]) with ordinality as q (x, y, n)
join boundary_shape s on s.geom && st_setsrid(st_makepoint(q.x / 1e7, q.y / 1e7), 4326)
join boundary b on b.id = s.boundary_id
where b.source = $3 and b.type = 'administrative'

-- name: land_drop_lines
-- params: $1 a source of coast, $2 ids of its lines
-- returns: their boxes. They are deleted
-- not null: west, south, east, north
delete from coast_line
where source = $1 and id = any ($2::bigint[])
returning (box[1])[0] as west, (box[1])[1] as south, (box[0])[0] as east, (box[0])[1] as north

-- name: land_seen
-- params: $1 a source of coast, $2 ids of lines, $3 the time of the data that has them
-- returns: nothing
update coast_line set data_at = $3::timestamptz
where source = $1 and id = any ($2::bigint[]) and (data_at is null or data_at < $3::timestamptz)

-- name: land_whole
-- params: arrays of ids and versions of boundaries, $3 a source
-- returns: those that are stored of the source, with the shape of this version or, as it is the same, of an older one
-- not null: id
select b.id
from unnest($1::text[], $2::text[]) as f (id, version)
join boundary b on b.id = f.id
where b.source = $3 and b.has_geometry and b.stale is null
  and (b.source_version = f.version
       or b.source_version ~ '^[0-9]{1,15}$' and f.version ~ '^[0-9]{1,15}$' and b.source_version::bigint < f.version::bigint)

-- name: land_drop_coast
-- params: $1 a source, $2 ids that stay
-- returns: the boxes of the lines of the source that are not among these, now deleted
-- not null: west, south, east, north
delete from coast_line
where source = $1 and not (id = any ($2::bigint[]))
returning (box[1])[0] as west, (box[1])[1] as south, (box[0])[0] as east, (box[0])[1] as north

-- name: land_drop_replaced
-- params: $1 a source, $2 ids of its lines that stay, $3 and $4 the first and the last vertices of these, $5 the time
--   of
--   their data (null: unknown)
-- returns: the boxes of other lines of the source, not of newer data, now deleted, that begin or end where one of these
--   does: only one line may leave a vertex, and one arrive there
-- not null: west, south, east, north
delete from coast_line
where source = $1 and id not in (select unnest($2::bigint[]))
  and (substr(coords, 1, 8) in (select unnest($3::bytea[])) or substr(coords, length(coords) - 7) in (select unnest($4::bytea[])))
  and (data_at is null or $5::timestamptz is null or data_at <= $5)
returning (box[1])[0] as west, (box[1])[1] as south, (box[0])[0] as east, (box[0])[1] as north

-- name: land_mark
-- params: $1 boundary ids
-- returns: nothing. Their land is to be worked out again, if there is a coast anywhere
insert into boundary_land (boundary_id, state)
select b.id, 'pending'
from boundary b
join source s on s.id = b.source
where b.id = any ($1::text[]) and b.has_geometry and not s.land and exists (select from coast_line)
on conflict (boundary_id) do update set state = 'pending'

-- name: land_mark_open
-- params: nothing
-- returns: nothing. The land of boundaries for which no coast was found yet is to be worked out
insert into boundary_land (boundary_id, state)
select b.id, 'pending'
from boundary b
join source s on s.id = b.source
left join boundary_land l on l.boundary_id = b.id
where b.has_geometry and not s.land and (l.state is null or l.state = 'unknown' and l.lat is null)
on conflict (boundary_id) do update set state = 'pending'

-- name: land_mark_unknown
-- params: $1..$4 an extent (west, south, east, north; 1e-7 degrees)
-- returns: nothing. The land of boundaries there is to be worked out, where it was not known
update boundary_land l set state = 'pending'
from boundary_shape s
where l.state = 'unknown' and s.boundary_id = l.boundary_id
  and s.geom && st_makeenvelope($1::float8 / 1e7, $2::float8 / 1e7, $3::float8 / 1e7, $4::float8 / 1e7, 4326)

-- name: land_mark_around
-- params: $1..$4 boxes (west, south, east, north; 1e-7 degrees)
-- returns: nothing. The land of boundaries whose box meets one of them is to be worked out again
insert into boundary_land (boundary_id, state)
select distinct s.boundary_id, 'pending'
from unnest($1::float8[], $2::float8[], $3::float8[], $4::float8[]) as q (west, south, east, north)
join boundary_shape s on s.geom && st_makeenvelope(q.west / 1e7, q.south / 1e7, q.east / 1e7, q.north / 1e7, 4326)
join boundary b on b.id = s.boundary_id
join source o on o.id = b.source
where not o.land
on conflict (boundary_id) do update set state = 'pending'

-- name: land_of
-- params: $1 boundary ids
-- returns: what is known of the land of each that has a shape, and its land and water part, with the revision of the
--   data; if none is stored, one row with only the revision
-- types: state 'land' | 'mixed' | 'water' | 'unknown' | 'pending'; inland_state 'none' | 'some' | 'all' | 'unknown' |
--   'pending' | null
with found as (
  select b.id, o.land as ends_at_shore, coalesce(l.state, 'unknown') as state,
         case when o.land then b.area_km2 else l.land_km2 end as land_km2, l.reason, l.lat, l.lon,
         encode(s.ring_hash, 'hex') as land_hash, array[s.west, s.south, s.east, s.north, s.lon, s.lat] as land_box,
         encode(w.ring_hash, 'hex') as water_hash, array[w.west, w.south, w.east, w.north, w.lon, w.lat] as water_box,
         w.area_km2 as water_km2, i.state as inland_state, i.reason as inland_reason, i.lat as inland_lat,
         i.lon as inland_lon, encode(d.ring_hash, 'hex') as dry_hash,
         array[d.west, d.south, d.east, d.north, d.lon, d.lat] as dry_box, d.area_km2 as dry_km2
  from boundary b
  join source o on o.id = b.source
  left join boundary_land l on l.boundary_id = b.id
  left join shape_apart s on s.arrangement = 1 and s.boundary_id = b.id
  left join shape_apart w on w.arrangement = 2 and w.boundary_id = b.id
  left join boundary_inland i on i.boundary_id = b.id
  left join shape_apart d on d.arrangement = 3 and d.boundary_id = b.id
  where b.id = any ($1::text[]) and b.has_geometry
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true

-- name: land_pending
-- params: nothing
-- returns: the boundaries whose land is to be worked out again
select boundary_id as id from boundary_land where state = 'pending'

-- name: land_put
-- params: $1 rows as a JSON array
-- returns: nothing
insert into boundary_land
select * from jsonb_populate_recordset(null::boundary_land, $1::jsonb)
on conflict (boundary_id) do update
set state = excluded.state, land_km2 = excluded.land_km2, reason = excluded.reason, lat = excluded.lat, lon = excluded.lon,
    decided_by = excluded.decided_by

-- name: land_put_coast
-- params: $1 a source, arrays of id, version, coords, west, south, east, north (1e-7 degrees)
-- returns: the boxes of the lines that are new or changed. An older version never replaces a newer one
-- not null: west, south, east, north
insert into coast_line (source, id, version, coords, box)
select $1, id, version, coords, box(point(east, north), point(west, south))
from unnest($2::bigint[], $3::integer[], $4::bytea[], $5::float8[], $6::float8[], $7::float8[], $8::float8[])
     as l (id, version, coords, west, south, east, north)
on conflict (source, id) do update
set version = excluded.version, coords = excluded.coords, box = excluded.box
where coast_line.version <= excluded.version and coast_line.coords <> excluded.coords
returning (box[1])[0] as west, (box[1])[1] as south, (box[0])[0] as east, (box[0])[1] as north

-- name: land_shapes
-- params: $1 boundary ids
-- returns: their borders as signed arcs, in an order that is always the same. known: all of it is land, or water, by
--   the coast of decided_by
-- not null: id, type, arcs, west, south, east, north
-- types: type 'administrative' | 'postal_code'; known 'land' | 'water' | null
select b.id, b.type, b.admin_level, s.arcs, b.west, b.south, b.east, b.north,
       case when l.state in ('land', 'water') then l.state end as known, l.decided_by
from boundary b
join boundary_shape s on s.boundary_id = b.id
left join boundary_land l on l.boundary_id = b.id
where b.id = any ($1::text[])
order by b.id collate "C"

-- name: land_open
-- params: $1 boundary ids
-- returns: those that have no other boundary beside some of their border
select s.boundary_id as id
from boundary_shape s
where s.boundary_id = any ($1::text[])
  and exists (
    select from unnest(s.arcs) as a (ref)
    where not exists (select from boundary_shape o where o.arc_ids @> array[abs(a.ref)] and o.arcs @> array[-a.ref])
  )

-- name: land_extents
-- params: nothing
-- returns: what files of OpenStreetMap with coastlines state to cover
select west, south, east, north from coast_extent

-- name: land_put_extent
-- params: $1..$4 what a file with coastlines states to cover (west, south, east, north; 1e-7 degrees)
-- returns: the extent, if it is not within one that is stored
insert into coast_extent (west, south, east, north)
select $1::integer, $2::integer, $3::integer, $4::integer
where not exists (select from coast_extent e where e.west <= $1 and e.south <= $2 and e.east >= $3 and e.north >= $4)
returning west, south, east, north

-- name: land_drop_within
-- params: $1..$4 an extent (west, south, east, north; 1e-7 degrees)
-- returns: nothing. Other extents within it are removed
delete from coast_extent
where west >= $1::integer and south >= $2::integer and east <= $3::integer and north <= $4::integer
  and (west, south, east, north) <> ($1, $2, $3, $4)

-- name: land_drop_extents
-- params: nothing
-- returns: nothing
delete from coast_extent

-- name: land_put_set
-- params: $1 a set of land polygons, $2..$5 what it covers (west, south, east, north; 1e-7 degrees), $6 whether that
--   was stated
-- returns: the set, if that is new
insert into land_set (source, west, south, east, north, stated)
values ($1, $2::integer, $3::integer, $4::integer, $5::integer, $6)
on conflict (source) do update
set west = excluded.west, south = excluded.south, east = excluded.east, north = excluded.north, stated = excluded.stated
where land_set.* is distinct from excluded.*
returning source

-- name: land_drop_set
-- params: $1 a source
-- returns: nothing
delete from land_set where source = $1

-- name: land_sets
-- params: nothing
-- returns: the sources of sets of land polygons, the most preferred first, with what they cover
-- not null: west, south, east, north, stated
select s.id, e.west, e.south, e.east, e.north, e.stated
from source s
join land_set e on e.source = s.id
where s.id <> 'osm' and exists (select from coast_line l where l.source = s.id)
order by s.position nulls last, s.id

-- name: land_use
-- params: $1 a source
-- returns: whether something is stored of it, now or in editions, whether that is a set of land polygons, and whether
--   it is
--   a file of inland water
-- not null: is_stored, is_land, is_water
select exists (select from source where id = $1) or exists (select from edition_source where id = $1) as is_stored,
       exists (select from coast_line where source = $1) and not exists (select from boundary where source = $1) as is_land,
       exists (select from inland_water_set where source = $1) as is_water

-- name: land_common
-- params: $1 an arrangement, $2 the signed arcs of the part of a boundary and $3 the length of each in meters, $4
--   canonical ids
-- returns: of these boundaries, those whose parts are on the other side of the arcs, with the common meters, and the
--   revision of the data; if there are none, one row with only the revision
with found as (
  select s.boundary_id as id, sum(own.meters) as meters
  from shape_apart s
  cross join unnest(s.arcs) as r (ref)
  join unnest($2::bigint[], $3::float8[]) as own (ref, meters) on own.ref = -r.ref
  where s.arrangement = $1::smallint and s.boundary_id = any ($4::text[])
  group by s.boundary_id
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true

-- name: land_maritime_ways
-- params: nothing
-- returns: the ways of borders that the map marks as borders at sea, with the revision of the data; if there are none,
--   one row with only the revision
-- not null: revision
select r.revision, w.id, w.coords
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join maritime_way w on true
order by w.id

-- name: land_common_present
-- params: $1 the signed arcs of a boundary and $2 meters of each, $3 canonical ids
-- returns: of these boundaries, those on the other side of the arcs, with the common meters, and the revision of the
--   data; if there are none, one row with only the revision
with found as (
  select s.boundary_id as id, sum(own.meters) as meters
  from boundary_shape s
  cross join unnest(s.arcs) as r (ref)
  join unnest($1::bigint[], $2::float8[]) as own (ref, meters) on own.ref = -r.ref
  where s.boundary_id = any ($3::text[])
  group by s.boundary_id
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true
