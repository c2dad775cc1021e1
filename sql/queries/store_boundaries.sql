-- takes: $1 boundary ids, $2 a source, $3 ids within that source, $4 way ids; gives: the stored rows that an import may touch
select id, source, source_id, source_version, version, type, name, admin_level, ways, has_geometry,
       encode(meta_hash, 'hex') as meta_hash, encode(geometry_hash, 'hex') as geometry_hash, area_km2,
       (select s.starter from source s where s.id = b.source) as starter
from boundary b
where id = any ($1::text[])
   or (source = $2 and source_id = any ($3::text[]))
   or ways && $4::bigint[]
