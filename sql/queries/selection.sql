-- name: selection_place
-- params: $1 a country's ISO 3166-1 alpha-2 code or null, $2 kind or null, $3 admin_level or null, $4 how many ids at
--   most, $5-$8 west, south, east, north in degrees or null (west > east across the antimeridian)
-- returns: one row: the revision of the data, how many boundaries are in the country or have their box inside the given
--   box (edges included), and the first ids by local name, then id
-- not null: revision, total, ids
with found as materialized (
  select b.id, b.name
  from boundary b
  where $1::text is not null and b.countries && array[$1::text]
    and ($2::text is null or b.kind = $2::text)
    and ($3::integer is null or b.admin_level = $3::integer)
    -- An extract cuts what is stored whole from another source, as in boundary_children.
    and (b.has_geometry or not exists (
      select from boundary t
      where t.has_geometry and t.type = b.type and t.admin_level is not distinct from b.admin_level
        and (t.wikidata = b.wikidata or t.iso = b.iso)))
  union all
  select b.id, b.name
  from boundary_shape s
  join boundary b on b.id = s.boundary_id
  where $1::text is null
    and (s.geom && st_makeenvelope($5::float8, $6::float8, case when $5::float8 > $7::float8 then 180 else $7::float8 end, $8::float8, 4326)
         or $5::float8 > $7::float8 and s.geom && st_makeenvelope(-180, $6::float8, $7::float8, $8::float8, 4326))
    and b.has_geometry
    and b.south >= $6::float8 * 1e7 and b.north <= $8::float8 * 1e7
    and ($5::float8 <= -180 and $7::float8 >= 180
         or case when b.west <= b.east
              then case when $5::float8 > $7::float8
                     then b.west >= $5::float8 * 1e7 or b.east <= $7::float8 * 1e7
                     else b.west >= $5::float8 * 1e7 and b.east <= $7::float8 * 1e7 end
              else $5::float8 > $7::float8 and b.west >= $5::float8 * 1e7 and b.east <= $7::float8 * 1e7 end)
    and ($2::text is null or b.kind = $2::text)
    and ($3::integer is null or b.admin_level = $3::integer)
)
select (select base from data_revision) + (select count(*) from data_change) as revision,
       (select count(*) from found)::integer as total,
       array(select id from found order by name collate "C", left(id, 1), length(id), id collate "C" limit $4::integer) as ids

-- name: selection_set
-- params: $1 the source of an area set, $2 how many ids at most
-- returns: one row: the revision of the data, how many areas the set has, and the first ids by name, then id
-- not null: revision, total, ids
with found as materialized (
  select b.id, b.name from boundary b where b.source = $1
)
select (select base from data_revision) + (select count(*) from data_change) as revision,
       (select count(*) from found)::integer as total,
       array(select id from found order by name collate "C", id collate "C" limit $2::integer) as ids

-- name: selection_shapes
-- params: $1 canonical ids
-- returns: the ring_hash, box and source of each stored boundary, with the revision of the data; if none is stored, one
--   row with only the revision
-- not null: revision, name, has_geometry, attribution
-- types: broken { readonly reason: string, readonly lat: number | null, readonly lon: number | null } | null
with found as (
  select b.id, b.name, b.has_geometry, b.broken, encode(b.ring_hash, 'hex') as ring_hash,
         b.west, b.south, b.east, b.north, s.attribution, s.url as source_url
  from boundary b
  join source s on s.id = b.source
  where b.id = any ($1::text[])
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true
