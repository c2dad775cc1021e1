-- params: $1 canonical ids; returns: of each that is stored its shape's name and box, and whose it is, with the revision of the data; where none is stored, one row with the revision alone
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
