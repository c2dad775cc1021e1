-- name: tile_boundaries
-- params: $1-$4 west, south, east, north in degrees (west > east across the antimeridian), $5 the largest admin_level
--   (13: also those without one), $6 how many at most, $7 first subtags of languages in lower case
-- returns: administrative boundaries whose box meets that one, the lowest admin_level first, then the largest, with
--   the revision of the data; where there is none, one row with the revision alone
-- prepared: planned once a session, as planning it takes longer than running it
with found as (
  select b.id, b.name, b.kind, b.admin_level, b.country, b.disputed, encode(b.ring_hash, 'hex') as ring_hash,
         b.lat, b.lon, b.area_km2,
         case when $7::text[] = '{}' then '{}'::jsonb
              else coalesce((select jsonb_object_agg(n.key, n.value) from jsonb_each(b.names) n
                             where lower(split_part(n.key, '-', 1)) = any ($7::text[])), '{}'::jsonb) end as names
  from (select distinct s.boundary_id
        from unnest(case when $1::float8 > $3::float8
                      then array[st_makeenvelope($1::float8, $2::float8, 180, $4::float8, 4326),
                                 st_makeenvelope(-180, $2::float8, $3::float8, $4::float8, 4326)]
                      else array[st_makeenvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326)] end) as part (box)
        join boundary_shape s on s.geom && part.box) s
  join boundary b on b.id = s.boundary_id
  where (case when b.west <= b.east
           then case when $1::float8 > $3::float8
                  then b.east >= $1::float8 * 1e7 or b.west <= $3::float8 * 1e7
                  else b.east >= $1::float8 * 1e7 and b.west <= $3::float8 * 1e7 end
           else $1::float8 > $3::float8 or b.west <= $3::float8 * 1e7 or b.east >= $1::float8 * 1e7 end)
    and b.type = 'administrative' and b.has_geometry and coalesce(b.admin_level, 13) <= $5::integer
  order by coalesce(b.admin_level, 13), b.area_km2 desc nulls last, b.id
  limit $6::integer
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true

-- name: tile_attributions
-- params: nothing
-- returns: the attribution of every source that boundaries are stored of
select s.attribution
from source s
where exists (select from boundary b where b.source = s.id)
group by s.attribution
order by s.attribution
