-- takes: $1 canonical ids; gives: of each that is stored what a merge needs, and no more
select b.id, b.name, b.admin_level, b.has_geometry, b.broken, encode(b.ring_hash, 'hex') as ring_hash,
       s.id as source, s.name as source_name, s.url as source_url, s.licence, s.attribution, s.starter
from boundary b
join source s on s.id = b.source
where b.id = any ($1::text[])
