-- name: tile_boundaries
-- params: $1-$4 west, south, east, north in degrees (west > east across the antimeridian), $5 the largest admin_level
--   (13: also those without one), $6 how many at most, $7 first subtags of languages in lower case
-- returns: administrative boundaries whose box intersects the given box, by admin_level, then the largest first, with
--   the revision of the data; if there are none, one row with only the revision
-- not null: revision, name, kind, disputed, ring_hash
-- types: names { readonly [x: string]: string }
-- prepared: planned once per session, because planning takes longer than running
with found as (
  select b.id, b.name, b.kind, b.admin_level, b.country, b.disputed, encode(b.ring_hash, 'hex') as ring_hash,
         b.lat, b.lon, b.area_km2,
         case when $7::text[] = '{}' then '{}'::jsonb
              else coalesce((select jsonb_object_agg(n.key, n.value) from jsonb_each(b.names) n
                             where lower(split_part(n.key, '-', 1)) = any ($7::text[])), '{}'::jsonb) end as names
  from boundary_shape s
  join boundary b on b.id = s.boundary_id
  where (s.geom && st_makeenvelope($1::float8, $2::float8,
                                   case when $1::float8 > $3::float8 then 180 else $3::float8 end, $4::float8, 4326)
         or s.geom && st_makeenvelope(case when $1::float8 > $3::float8 then -180 else $1::float8 end, $2::float8,
                                      $3::float8, $4::float8, 4326))
    and (case when b.west <= b.east
           then case when $1::float8 > $3::float8
                  then b.east >= $1::float8 * 1e7 or b.west <= $3::float8 * 1e7
                  else b.east >= $1::float8 * 1e7 and b.west <= $3::float8 * 1e7 end
           else $1::float8 > $3::float8 or b.west <= $3::float8 * 1e7 or b.east >= $1::float8 * 1e7 end)
    and b.south <= $4::float8 * 1e7 and b.north >= $2::float8 * 1e7
    and b.type = 'administrative' and b.has_geometry and coalesce(b.admin_level, 13) <= $5::integer
  order by coalesce(b.admin_level, 13), b.area_km2 desc nulls last, b.id collate "C"
  limit $6::integer
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true

-- name: tile_attributions
-- params: nothing
-- returns: the attribution of every source that has boundaries
select s.attribution
from source s
where exists (select from boundary b where b.source = s.id)
group by s.attribution
order by s.attribution

-- name: tile_members
-- params: $1 canonical ids
-- returns: the boundaries with these ids that have a polygon, in the columns of tile_boundaries without names, with
--   their box in 1e-7 degrees and the attribution of their source
-- not null: name, attribution, kind, revision, disputed, ring_hash
with found as (
  select b.id, b.name, b.kind, b.admin_level, b.country, b.disputed, encode(b.ring_hash, 'hex') as ring_hash,
         b.lat, b.lon, b.area_km2, b.west, b.south, b.east, b.north, s.attribution
  from boundary b
  join source s on s.id = b.source
  where b.id = any ($1::text[]) and b.has_geometry
  order by coalesce(b.admin_level, 13), b.area_km2 desc nulls last, b.id
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true

-- name: tile_set_areas
-- params: $1 the source of an area set, $2-$5 west, south, east, north in degrees (west > east across the
--   antimeridian),
--   $6 how many ids at most
-- returns: one row: the revision of the data, the ids of the largest areas of the set with a polygon whose box
--   intersects the given box, and how many such areas there are. It reads the set alone and no index of places, so that
--   its time does not depend on sets
--   of others
-- not null: revision, ids, areas
with met as materialized (
  select b.id, b.area_km2
  from boundary b
  where b.source = $1 and b.has_geometry
    and b.south <= $5::float8 * 1e7 and b.north >= $3::float8 * 1e7
    and case when b.west <= b.east
          then case when $2::float8 > $4::float8
                 then b.east >= $2::float8 * 1e7 or b.west <= $4::float8 * 1e7
                 else b.east >= $2::float8 * 1e7 and b.west <= $4::float8 * 1e7 end
          else $2::float8 > $4::float8 or b.west <= $4::float8 * 1e7 or b.east >= $2::float8 * 1e7 end
)
select (select base from data_revision) + (select count(*) from data_change) as revision,
       array(select id from met order by area_km2 desc nulls last, id collate "C" limit $6::integer) as ids,
       (select count(*) from met)::integer as areas

-- name: tile_set_extent
-- params: $1 the source of an area set
-- returns: the box of its areas with a polygon (1e-7 degrees; all longitudes if one crosses the antimeridian), null
--   without any, and its attribution, with the revision of the data
-- not null: revision, attribution
select (select base from data_revision) + (select count(*) from data_change) as revision,
       coalesce((select s.attribution from source s where s.id = $1), '') as attribution, e.*
from (
  select case when bool_or(b.west > b.east) then -1800000000 else min(b.west) end as west, min(b.south) as south,
         case when bool_or(b.west > b.east) then 1800000000 else max(b.east) end as east, max(b.north) as north
  from boundary b
  where b.source = $1 and b.has_geometry
) e

-- name: tile_member_languages
-- params: $1 canonical ids
-- returns: the language tags, in lower case, that names of these boundaries have, and the revision of the data
select (select base from data_revision) + (select count(*) from data_change) as revision,
       array(select distinct lower(n.key) from boundary b, jsonb_object_keys(b.names) n (key)
             where b.id = any ($1::text[]) order by 1) as languages

-- name: tile_member_names
-- params: $1 canonical ids, $2 language tags in lower case
-- returns: the names of these boundaries in these languages, by tag in lower case, and the revision of the data; if
--   there are none, one row with only the revision
with found as (
  select b.id, jsonb_object_agg(lower(n.key), n.value) as names
  from boundary b, jsonb_each_text(b.names) n
  where b.id = any ($1::text[]) and lower(n.key) = any ($2::text[])
  group by b.id
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true

-- name: tile_selection_put
-- params: $1 sha256, $2 the selection as JSON, $3 an organization or null
-- returns: one row: whether it is new
insert into tile_selection (sha256, selection, org) values ($1, $2, $3)
on conflict (sha256) do update set used_at = now(), org = coalesce(tile_selection.org, excluded.org)
returning (xmax = 0) as created

-- name: tile_selection_bound
-- params: $1 an organization or null, $2 how many selections it may have
-- returns: nothing; deletes its least recently used selections beyond that number
delete from tile_selection
where sha256 in (
  select sha256 from tile_selection where org is not distinct from $1
  order by used_at desc, sha256 offset $2
)

-- name: tile_selection_find
-- params: $1 sha256, $2 days that a selection of an organization is kept after its last use, $3 days without one
-- returns: the selection, and whether its last use is more than an hour ago
select selection, used_at < now() - interval '1 hour' as resting
from tile_selection
where sha256 = $1 and used_at > now() - make_interval(days => case when org is null then $3::integer else $2::integer end)

-- name: tile_selection_use
-- params: $1 sha256
-- returns: nothing
update tile_selection set used_at = now() where sha256 = $1

-- name: tile_selection_sweep
-- params: $1 days that a selection of an organization is kept after its last use, $2 days without one
-- returns: nothing
delete from tile_selection
where used_at < now() - make_interval(days => case when org is null then $2::integer else $1::integer end)
