-- takes: $1 canonical ids; gives: one row for each that exists, in the order given (a row as in boundary_resolve)
select b.id, b.type, b.name, b.names, b.kind, b.admin_level, b.country, b.countries, b.disputed, b.iso, b.wikidata,
       b.population, b.version, b.west, b.south, b.east, b.north, b.lat, b.lon, b.area_km2, b.has_geometry, b.broken, b.stale,
       encode(b.ring_hash, 'hex') as ring_hash, encode(b.meta_hash, 'hex') as meta_hash,
       s.id as source, s.name as source_name, s.url as source_url, s.licence, s.attribution, s.starter,
       array(select p.parent from boundary_parent p where p.child = b.id order by p.position, p.parent) as parents
from unnest($1::text[]) with ordinality as asked (id, position)
join boundary b on b.id = asked.id
join source s on s.id = b.source
order by asked.position
