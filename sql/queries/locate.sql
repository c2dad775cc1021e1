-- name: locate_set
-- params: $1 the canonical id to continue after, $2 how many, $3 admin levels or null, $4 kinds or null
-- returns: a page of boundaries with a shape and one of the levels or kinds (both null: any), by id: the box in 1e-7
--   degrees and the fields that a point lookup returns, with the revision of the data; if there are none, one row with
--   only the revision
with page as (
  select b.id, b.west, b.south, b.east, b.north, encode(b.ring_hash, 'hex') as ring_hash, b.admin_level, b.kind,
         b.type = 'administrative' as administrative, b.area_km2,
         b.name, b.country, b.iso, b.wikidata, b.population
  from boundary b
  where b.has_geometry and b.id > $1::text
    and ($3::integer[] is null and $4::text[] is null or b.admin_level = any ($3::integer[]) or b.kind = any ($4::text[]))
  order by b.id
  limit $2::integer
)
select r.revision, page.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join page on true
order by page.id
