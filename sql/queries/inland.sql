-- name: inland_around
-- params: $1..$4 boxes (west, south, east, north; 1e-7 degrees), $5 a source
-- returns: the inland water of the source whose box meets one of them
-- not null: west, south, east, north
select w.id, w.coords, w.ring_end, w.reason, (w.box[1])[0] as west, (w.box[1])[1] as south, (w.box[0])[0] as east,
       (w.box[0])[1] as north
from inland_water w
where w.source = $5
  and exists (select from unnest($1::float8[], $2::float8[], $3::float8[], $4::float8[]) as q (west, south, east, north)
              where w.box && box(point(q.east, q.north), point(q.west, q.south)))
order by w.id collate "C"

-- name: inland_put
-- params: $1 a source, arrays of id, coords, ring_end as text, reason, west, south, east, north (1e-7 degrees), $10 the
--   time
--   of the data, $11 array of is_part
-- returns: the boxes of what is new or changed, before and after. Older data never replaces newer, nor adds to
--   boundaries
--   whose water newer data says, unless it says that of another one there; what is whole replaces parts, which never
--   replace it; parts of one add up to its box
-- not null: west, south, east, north
with given as materialized (
  select id, coords, ring_end::integer[] as ring_end, reason, is_part, box(point(east, north), point(west, south)) as box
  from unnest($2::text[], $3::bytea[], $4::text[], $5::text[], $6::float8[], $7::float8[], $8::float8[], $9::float8[],
              $11::boolean[]) as l (id, coords, ring_end, reason, west, south, east, north, is_part)
), around as materialized (
  select g.id, bool_or(c.data_at > $10::timestamptz) as newer,
         bool_or(c.data_at is null or c.data_at <= $10::timestamptz) as own
  from given g
  join boundary_shape s on s.geom && st_makeenvelope((g.box[1])[0] / 1e7, (g.box[1])[1] / 1e7, (g.box[0])[0] / 1e7,
                                                     (g.box[0])[1] / 1e7, 4326)
  join inland_water_covered c on c.boundary_id = s.boundary_id
  where $10::timestamptz is not null
  group by g.id
), had as materialized (
  select w.id, w.box from given g join inland_water w on w.source = $1 and w.id = g.id
), put as (
  insert into inland_water (source, id, coords, ring_end, reason, is_part, box, data_at)
  select $1, id, coords, ring_end, reason, is_part, box, $10::timestamptz
  from given g
  where exists (select from inland_water w where w.source = $1 and w.id = g.id)
     or not exists (select from around a where a.id = g.id and a.newer and not a.own)
  on conflict (source, id) do update
  set coords = excluded.coords, ring_end = excluded.ring_end, reason = excluded.reason, is_part = excluded.is_part,
      box = case when excluded.is_part then bound_box(inland_water.box, excluded.box) else excluded.box end,
      data_at = coalesce(excluded.data_at, inland_water.data_at)
  where (inland_water.coords, inland_water.ring_end, inland_water.reason) is distinct from
        (excluded.coords, excluded.ring_end, excluded.reason)
    and case when excluded.is_part then inland_water.reason is not null
             else inland_water.is_part or inland_water.data_at is null or excluded.data_at is null
                  or inland_water.data_at <= excluded.data_at end
  returning id, box
)
select (box[1])[0] as west, (box[1])[1] as south, (box[0])[0] as east, (box[0])[1] as north from put
union all
select (h.box[1])[0], (h.box[1])[1], (h.box[0])[0], (h.box[0])[1] from had h where h.id in (select id from put)

-- name: inland_seen
-- params: $1 a source, $2 ids of its inland water, $3 the time of the data that has them
-- returns: nothing
update inland_water set data_at = $3::timestamptz
where source = $1 and id = any ($2::text[]) and (data_at is null or data_at < $3::timestamptz)

-- name: inland_stored
-- params: $1 a source, $2..$5 a box (west, south, east, north; 1e-7 degrees), $6 the id after which to begin, $7 how
--   many
--   at most
-- returns: the inland water of the source whose box meets it, with up to nine of its vertices
-- not null: vertices
select w.id, w.data_at,
       (select string_agg(substr(w.coords, 1 + 8 * ((octet_length(w.coords) / 8 - 1) * k / 8), 8), ''::bytea order by k)
        from generate_series(0, 8) k) as vertices
from inland_water w
where w.source = $1 and w.id > $6 and w.box && box(point($4::float8, $5::float8), point($2::float8, $3::float8))
order by w.id
limit $7::integer

-- name: inland_known
-- params: $1 a source, $2 ids
-- returns: those of which inland water of the source has a known shape
select id from inland_water where source = $1 and id = any ($2::text[]) and reason is null

-- name: inland_whole
-- params: $1 boundary ids
-- returns: what is stored of those that have a shape. enclosed: another boundary is on the other side of all of its
--   outer border
-- not null: ring_hash, west, south, east, north, area_km2, enclosed
select b.id, encode(b.ring_hash, 'hex') as ring_hash, b.west, b.south, b.east, b.north, b.area_km2,
       not exists (
         select from unnest(s.ring_end) with ordinality as e (stop, k)
         cross join unnest(s.arcs[coalesce(s.ring_end[e.k - 1], 0) + 1 : e.stop]) as a (ref)
         where (e.k = 1 or e.k - 1 = any (s.polygon_end))
           and not exists (select from boundary_shape o where o.arc_ids @> array[abs(a.ref)] and o.arcs @> array[-a.ref])
       ) as enclosed
from boundary b
join boundary_shape s on s.boundary_id = b.id
where b.id = any ($1::text[]) and b.has_geometry

-- name: inland_above
-- params: $1 boundary ids
-- returns: the boundaries above each
select parent, child from boundary_parent where child = any ($1::text[])

-- name: inland_drop
-- params: $1 a source, $2 ids of its inland water
-- returns: their boxes. They are deleted
-- not null: west, south, east, north
delete from inland_water
where source = $1 and id = any ($2::text[])
returning (box[1])[0] as west, (box[1])[1] as south, (box[0])[0] as east, (box[0])[1] as north

-- name: inland_drop_small
-- params: $1 a source, $2 ids of its inland water, $3 a size (km2) that it is below
-- returns: the boxes of those that no boundary around has, as all of them have only larger water. They are deleted
-- not null: west, south, east, north
delete from inland_water w
where w.source = $1 and w.id = any ($2::text[])
  and not exists (
    select from inland_water_covered c
    join boundary b on b.id = c.boundary_id
    where c.least_km2 < $3
      and w.box && box(point(case when b.west > b.east then 1.8e9 else b.east end, b.north),
                       point(case when b.west > b.east then -1.8e9 else b.west end, b.south))
  )
returning (w.box[1])[0] as west, (w.box[1])[1] as south, (w.box[0])[0] as east, (w.box[0])[1] as north

-- name: inland_drop_others
-- params: $1 a source, $2 ids that stay
-- returns: the boxes of the inland water of the source that is not among these, now deleted
-- not null: west, south, east, north
delete from inland_water
where source = $1 and not (id = any ($2::text[]))
returning (box[1])[0] as west, (box[1])[1] as south, (box[0])[0] as east, (box[0])[1] as north

-- name: inland_cover
-- params: $1 boundary ids, $2 the least area that was read (km2), $3 the time of the data
-- returns: the boundaries that are new or had another least area. Older data never replaces newer
insert into inland_water_covered (boundary_id, geometry_hash, least_km2, data_at)
select b.id, b.geometry_hash, $2::float8, $3::timestamptz
from boundary b
where b.id = any ($1::text[]) and b.has_geometry
on conflict (boundary_id) do update
set geometry_hash = excluded.geometry_hash, least_km2 = excluded.least_km2,
    data_at = coalesce(excluded.data_at, inland_water_covered.data_at)
where inland_water_covered.geometry_hash <> excluded.geometry_hash
   or (inland_water_covered.least_km2 <> excluded.least_km2 or inland_water_covered.data_at is distinct from excluded.data_at)
      and (inland_water_covered.data_at is null or excluded.data_at is null
           or inland_water_covered.data_at <= excluded.data_at)
returning boundary_id as id

-- name: inland_uncover
-- params: nothing
-- returns: nothing. No boundary has its inland water from OpenStreetMap any more
delete from inland_water_covered

-- name: inland_put_set
-- params: $1 a source, $2..$5 what its file covers (west, south, east, north; 1e-7 degrees), $6 whether that was stated
-- returns: the source, if that is new
insert into inland_water_set (source, west, south, east, north, stated)
values ($1, $2::integer, $3::integer, $4::integer, $5::integer, $6)
on conflict (source) do update
set west = excluded.west, south = excluded.south, east = excluded.east, north = excluded.north, stated = excluded.stated
where inland_water_set.* is distinct from excluded.*
returning source

-- name: inland_drop_set
-- params: $1 a source
-- returns: the source, if it had one
delete from inland_water_set where source = $1
returning source

-- name: inland_sets
-- params: nothing
-- returns: the sources of files of inland water, the most preferred first, with what they cover
-- not null: west, south, east, north, stated
select s.id, e.west, e.south, e.east, e.north, e.stated
from source s
join inland_water_set e on e.source = s.id
order by s.position nulls last, s.id

-- name: inland_mark
-- params: $1 boundary ids
-- returns: nothing. What is without inland water is to be worked out again, if any inland water was imported
insert into boundary_inland (boundary_id, state)
select b.id, 'pending'
from boundary b
where b.id = any ($1::text[]) and b.has_geometry
  and (exists (select from inland_water_set) or exists (select from inland_water_covered))
on conflict (boundary_id) do update set state = 'pending'

-- name: inland_mark_all
-- params: nothing
-- returns: nothing. All boundaries are to be worked out again
insert into boundary_inland (boundary_id, state)
select b.id, 'pending'
from boundary b
where b.has_geometry
on conflict (boundary_id) do update set state = 'pending'

-- name: inland_mark_around
-- params: $1..$4 boxes (west, south, east, north; 1e-7 degrees)
-- returns: nothing. The boundaries whose box meets one of them are to be worked out again
insert into boundary_inland (boundary_id, state)
select distinct s.boundary_id, 'pending'
from unnest($1::float8[], $2::float8[], $3::float8[], $4::float8[]) as q (west, south, east, north)
join boundary_shape s on s.geom && st_makeenvelope(q.west / 1e7, q.south / 1e7, q.east / 1e7, q.north / 1e7, 4326)
on conflict (boundary_id) do update set state = 'pending'

-- name: inland_pending
-- params: nothing
-- returns: the boundaries that are to be worked out again
select boundary_id as id from boundary_inland where state = 'pending'

-- name: inland_shapes
-- params: $1 boundary ids
-- returns: their land as signed arcs, in an order that is always the same: that of a source that ends at the shore is
--   all of
--   the boundary; arcs is null without known land. least_km2: see inland_water_covered
-- not null: id, type, ends_at_shore, state, ring_hash, west, south, east, north
-- types: type 'administrative' | 'postal_code'; state 'land' | 'mixed' | 'water' | 'unknown' | 'pending'
select b.id, b.type, b.admin_level, o.land as ends_at_shore, coalesce(l.state, 'unknown') as state,
       case when o.land then s.arcs else a.arcs end as arcs,
       coalesce(a.west, b.west) as west, coalesce(a.south, b.south) as south, coalesce(a.east, b.east) as east,
       coalesce(a.north, b.north) as north, c.least_km2, encode(b.ring_hash, 'hex') as ring_hash
from boundary b
join source o on o.id = b.source
join boundary_shape s on s.boundary_id = b.id
left join boundary_land l on l.boundary_id = b.id
left join shape_apart a on a.arrangement = 1 and a.boundary_id = b.id and not o.land
left join inland_water_covered c on c.boundary_id = b.id and c.geometry_hash = b.geometry_hash
where b.id = any ($1::text[])
order by b.id collate "C"

-- name: inland_put_states
-- params: $1 rows as a JSON array
-- returns: nothing
insert into boundary_inland
select * from jsonb_populate_recordset(null::boundary_inland, $1::jsonb)
on conflict (boundary_id) do update
set state = excluded.state, reason = excluded.reason, lat = excluded.lat, lon = excluded.lon
