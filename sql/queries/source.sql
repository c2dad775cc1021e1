-- name: source_list
-- params: nothing
-- returns: every source with what it says of itself, its place in the order, and how much is stored of it, by country
select s.id, s.name, s.url, s.resolution, s.licence as license, s.attribution, s.seed, s.position, s.edition, s.reference_system, s.accuracy_m,
       s.imported_at, s.data_at,
       coalesce((select sum(c.boundaries) from (select count(*) as boundaries from boundary b where b.source = s.id) c), 0)::integer as boundaries,
       array(select distinct b.country from boundary b where b.source = s.id and b.country is not null order by 1) as countries
from source s
order by s.position nulls last, s.id

-- name: source_prefer
-- params: $1 sources, the most preferred first
-- returns: nothing. All others lose their place in the order
update source set position = array_position($1::text[], id)
where position is distinct from array_position($1::text[], id)

-- name: source_order
-- params: nothing
-- returns: the sources that have a place in the order, and the revision of the data; if none has, one row with only the
--   revision
with found as (
  select s.id, s.position from source s where s.position is not null
)
select r.revision, found.*
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true

-- name: source_boundaries
-- params: $1 a source
-- returns: the ids of its boundaries
select id from boundary where source = $1 order by id

-- name: source_remove
-- params: $1 a source without boundaries
-- returns: nothing. Removes what else is stored of it: its imports, versions of boundaries of other sources that had
--   its shape before, and seed boundaries that are kept aside
with versions as (
  delete from boundary_version where source = $1
), aside as (
  delete from boundary_replaced where facts ->> 'source' = $1
)
delete from import_run where source = $1

-- name: source_drop
-- params: $1 a source of which nothing is stored
-- returns: its id
delete from source where id = $1 returning id

-- name: source_drop_tombstones
-- params: $1 boundary ids
-- returns: nothing
delete from boundary_gone where id = any ($1::text[])

-- name: source_drop_map
-- params: nothing
-- returns: nothing. Removes what is stored of OpenStreetMap besides boundaries: its objects, tombstones, and how far
--   changes were applied
with relations as (
  delete from osm_relation
), nodes as (
  delete from osm_node
), ways as (
  delete from way
), removed as (
  delete from boundary_gone
), questions as (
  delete from upstream_fetch
)
delete from update_state
