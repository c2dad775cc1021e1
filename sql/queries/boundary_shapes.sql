-- params: $1 canonical ids; returns: of each that is stored what a merge needs, and no more, with the revision of the data; where none is stored, one row with the revision alone
with found as (
  select b.id, b.name, b.admin_level, b.has_geometry, b.broken, encode(b.ring_hash, 'hex') as ring_hash,
         s.id as source, s.name as source_name, s.url as source_url, s.licence as license, s.attribution, s.seed
  from boundary b
  join source s on s.id = b.source
  where b.id = any ($1::text[])
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true
