-- params: $1 boundary ids, $2 a source, $3 ids within that source, $4 way ids; returns: the stored rows that an import may touch
with found as (
  select id from boundary where id = any ($1::text[])
  union
  select id from boundary where source = $2 and source_id = any ($3::text[])
  union
  -- One look-up a way: && with a long array compares every element with every other.
  select b.id from unnest($4::bigint[]) as w (id) join boundary b on b.ways @> array[w.id]
)
select b.id, b.source, b.source_id, b.source_version, b.version, b.type, b.name, b.admin_level, b.ways,
       b.has_geometry, encode(b.meta_hash, 'hex') as meta_hash, encode(b.geometry_hash, 'hex') as geometry_hash,
       b.area_km2, s.seed, b.tags ->> 'type' as relation_type, b.stale ->> 'since' as stale_since
from found
join boundary b on b.id = found.id
join source s on s.id = b.source
