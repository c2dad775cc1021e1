-- params: $1 canonical ids, $2 wikidata ids, $3 ISO 3166 codes; returns: what was asked (form, key) and a row for each boundary it names, aliases followed, each with its parents, outermost first, and the revision of the data; where nothing is named, one row with the revision alone
with asked as (
  select 'osm' as form, unnest($1::text[]) as key
  union all
  select 'wikidata', unnest($2::text[])
  union all
  select 'iso', unnest($3::text[])
),
named as (
  select a.form, a.key, b.id from asked a join boundary b on b.id = a.key where a.form = 'osm'
  union
  select a.form, a.key, l.boundary_id from asked a join boundary_alias l on l.id = a.key
  where a.form = 'osm' and not exists (select from boundary b where b.id = a.key)
  union
  select a.form, a.key, b.id from asked a join boundary b on b.wikidata = a.key where a.form = 'wikidata'
  union
  select a.form, a.key, b.id from asked a join boundary b on b.iso = a.key where a.form = 'iso'
  union
  select a.form, a.key, b.id from asked a join boundary b on b.country_code = a.key where a.form = 'iso'
),
found as (
  select named.form, named.key,
         b.id, b.type, b.name, b.kind, b.admin_level, b.country, b.countries, b.disputed, b.iso, b.wikidata,
         b.population, b.version, b.west, b.south, b.east, b.north, b.lat, b.lon, b.area_km2, b.has_geometry, b.broken, b.stale,
         encode(b.ring_hash, 'hex') as ring_hash, encode(b.meta_hash, 'hex') as meta_hash, b.imported_at,
         s.id as source, s.name as source_name, s.url as source_url, s.licence as license, s.attribution, s.seed,
         coalesce((select jsonb_agg(jsonb_build_object('id', q.id, 'name', q.name, 'kind', q.kind, 'admin_level', q.admin_level)
                                    order by p.position, p.parent)
                   from boundary_parent p join boundary q on q.id = p.parent
                   where p.child = b.id), '[]'::jsonb) as parents
  from named
  join boundary b on b.id = named.id
  join source s on s.id = b.source
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true
