-- params: $1 folded query, $2 wests, $3 south and north, $4 easts of two boxes in degrees, $5 countries or null, $6 kind or null, $7 admin_level or null, $8 most rows; returns: boundaries there whose name is or starts with the query, as search_names does
with hit as (
  select n.boundary_id as id, n.weight, n.folded = $1 or starts_with(n.folded, $1 || ' ') as whole,
         case when n.folded <> $1 then case n.type when 'word' then 5 else 3 end
              else case n.type when 'stripped' then 1 when 'old_name' then 1 when 'word' then 4 else 0 end end as step,
         b.kind, n.type as name_type, b.type, b.west, b.south, b.east, b.north, b.lat, b.lon
  from boundary_shape s
  join boundary_name n on n.boundary_id = s.boundary_id
  join boundary b on b.id = s.boundary_id
  where (s.geom && ST_MakeEnvelope(($2::float8[])[1], ($3::float8[])[1], ($4::float8[])[1], ($3::float8[])[2], 4326)
      or s.geom && ST_MakeEnvelope(($2::float8[])[2], ($3::float8[])[1], ($4::float8[])[2], ($3::float8[])[2], 4326))
    and n.folded ~>=~ $1 and n.folded ~<~ ($1 || chr(1114111)) and n.type not in ('code', 'wikidata')
    and ($5::text[] is null or b.countries && $5::text[])
    and ($6::text is null or b.kind = $6::text) and ($7::integer is null or b.admin_level = $7::integer)
  order by n.weight desc, n.boundary_id collate "C"
  limit $8
)
select distinct on (id) id, step, weight, whole, kind, name_type, type, west, south, east, north, lat, lon
from hit
order by id, step, whole desc
