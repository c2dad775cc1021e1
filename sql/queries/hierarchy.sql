-- name: hierarchy_candidates
-- params: $1 ids of boundaries that were written
-- returns: candidate pairs of child and parent that include one of the ids: the child's box intersects that of a
--   polygon of the parent, which has a lower admin_level and is not much smaller
-- not null: child, child_hash, parent, parent_hash
with rank as not materialized (
  select b.id, b.area_km2, encode(b.ring_hash, 'hex') as hash,
         case when b.type = 'administrative' then b.admin_level end as own,
         case when b.type = 'administrative' then coalesce(b.admin_level, 13) else 13 end as level
  from boundary b
), named as materialized (
  select r.*, s.geom from rank r join boundary_shape s on s.boundary_id = r.id where r.id = any ($1::text[])
), area as materialized (
  select st_setsrid(st_extent(geom), 4326) as box, max(level) as level
  from named group by floor(st_xmin(geom)), floor(st_ymin(geom))
), met as materialized (
  select r.id, r.area_km2, r.hash, r.own, r.level
  from (select distinct s.boundary_id from area join boundary_shape s on s.geom && area.box) near
  join rank r on r.id = near.boundary_id
), part as materialized (
  -- Use the box of each polygon of a possible parent: the box of a country with remote islands covers other countries.
  select m.id, m.own, m.area_km2, m.hash, st_envelope(d.geom) as box
  from met m
  join boundary_shape s on s.boundary_id = m.id
  cross join st_dump(s.geom) d
  where m.own < (select max(level) from area) and d.geom && (select st_setsrid(st_extent(box), 4326) from area)
), whole as materialized (
  -- The polygons of written boundaries that stored ones may be inside: often none, so they are chosen first.
  select n.id, n.own, n.area_km2, n.hash, d.geom
  from named n
  cross join st_dump(n.geom) d
  where n.own < (select max(level) from met where not (id = any ($1::text[])))
), pair as (
  select distinct c.id as child, c.hash as child_hash, p.id as parent, p.hash as parent_hash
  from part p
  join boundary_shape s on s.geom && p.box
  join named c on c.id = s.boundary_id
  where p.own < c.level and p.area_km2 >= c.area_km2 * 0.5
  union all
  select distinct c.id, c.hash, p.id, p.hash
  from whole p
  join boundary_shape s on s.geom && p.geom
  join rank c on c.id = s.boundary_id
  where p.own < c.level and p.area_km2 >= c.area_km2 * 0.5 and not (c.id = any ($1::text[]))
)
select child, child_hash, parent, parent_hash
from pair
order by parent, child

-- name: hierarchy_carriers
-- params: nothing
-- returns: child and parent pairs in which both carry an ISO 3166-1 code
select bp.child, bp.parent
from boundary c
join boundary_parent bp on bp.child = c.id
join boundary p on p.id = bp.parent
where c.country_code is not null and p.country_code is not null

-- name: hierarchy_below
-- params: $1 ids of boundaries that were written, $2 ids of others whose parents are others than before
-- returns: the ids of all boundaries whose parents or countries may depend on theirs: those inside them, and those of
--   the country whose code one carries
select distinct p.child as id
from unnest($1::text[] || $2::text[]) as m (id)
join boundary_parent p on p.parent = m.id
union
select b.id
from unnest($1::text[]) as m (id)
join boundary c on c.id = m.id
join boundary b on b.country = c.country_code

-- name: hierarchy_clear
-- params: $1 ids of boundaries that were written
-- returns: the ids of the boundaries that lost a parent. Keeps the parents of boundaries without a shape;
--   unshaped_touched lists those to derive again
with shaped as (
  delete from unshaped t
  where t.boundary_id = any ($1::text[]) and exists (select from boundary_shape s where s.boundary_id = t.boundary_id)
), cleared as (
  delete from boundary_parent p
  where p.child = any ($1::text[])
     or (p.parent = any ($1::text[]) and exists (select from boundary_shape s where s.boundary_id = p.child))
  returning p.child
)
select distinct child from cleared

-- name: hierarchy_descendants
-- params: $1 boundary ids
-- returns: the ids of all boundaries that have one of them as an ancestor
select distinct child as id from boundary_parent where parent = any ($1::text[])

-- name: hierarchy_drop_links
-- params: arrays of child, parent
-- returns: nothing
delete from boundary_parent p
using unnest($1::text[], $2::text[]) as l (child, parent)
where p.child = l.child and p.parent = l.parent

-- name: hierarchy_drop_names
-- params: $1 boundary ids
-- returns: nothing
delete from boundary_name where boundary_id = any ($1::text[])

-- name: hierarchy_lines
-- params: $1 boundary ids
-- returns: what they are as parents of others: their source, country and own parents, and the ids of the seed
--   boundaries whose place they took
-- not null: parents, former
-- types: kind 'postal_code' | 'state' | 'country' | 'region' | 'province' | 'county' | 'district' | 'municipality' |
--   'city' | 'borough' | 'ward' | 'neighbourhood'
select b.id, b.source, o.seed, b.kind, b.country, b.countries, b.country_code, b.admin_level, b.area_km2,
       array(select p.parent from boundary_parent p where p.child = b.id) as parents,
       array(select r.id from boundary_replaced r where r.heir = b.id) as former
from boundary b
join source o on o.id = b.source
where b.id = any ($1::text[])

-- name: hierarchy_order
-- params: $1 child ids
-- returns: nothing. Orders parents outermost first: by admin_level, then the largest first
update boundary_parent p
set position = o.position
from (
  select bp.child, bp.parent,
         row_number() over (partition by bp.child order by b.admin_level, b.area_km2 desc, b.id) - 1 as position
  from boundary_parent bp
  join boundary b on b.id = bp.parent
  where bp.child = any ($1::text[])
) o
where p.child = o.child and p.parent = o.parent and p.position <> o.position

-- name: hierarchy_put
-- params: arrays of child, parent, share
-- returns: nothing
insert into boundary_parent (child, parent, share, position)
select child, parent, share, 0
from unnest($1::text[], $2::text[], $3::float8[]) as p (child, parent, share)

-- name: hierarchy_put_links
-- params: arrays of child, parent
-- returns: nothing. Writes parents that follow from others
insert into boundary_parent (child, parent, share, position, derived)
select child, parent, 1, 0, true
from unnest($1::text[], $2::text[]) as l (child, parent)

-- name: hierarchy_put_names
-- params: $1 names as a JSON array of rows
-- returns: nothing
insert into boundary_name
select * from jsonb_populate_recordset(null::boundary_name, $1::jsonb)

-- name: hierarchy_ranks
-- params: $1 boundary ids
-- returns: those that are stored, by admin_level (13: none, 14: a postcode area), the lowest first
select case when b.type = 'administrative' then coalesce(b.admin_level, 13) else 14 end as rank,
       array_agg(b.id order by b.id) as ids
from boundary b
where b.id = any ($1::text[])
group by 1
order by 1

-- name: hierarchy_rows
-- params: $1 boundary ids
-- returns: the columns that parents, country, kind and names are derived from
select b.id, b.source, b.type, b.name, b.names, b.other_names, b.codes, b.iso, b.wikidata, b.kind, b.kind_given,
       b.admin_level, b.country, b.countries, b.disputed, b.country_given, b.country_code, b.tags, b.place, b.population,
       b.lat, b.lon, b.area_km2, b.kind_known, b.has_geometry,
       case when b.type = 'administrative' then coalesce(b.admin_level, 13) else 14 end as rank,
       (select t.country from unshaped t where t.boundary_id = b.id) as traced_country,
       array(select p.parent from boundary_parent p where p.child = b.id) as linked,
       array(select p.parent from boundary_parent p where p.child = b.id and (p.derived is not true or not b.has_geometry)) as held,
       array(select r.id from boundary_replaced r where r.heir = b.id) as former,
       array(select coalesce(p.id, o.heir)
             from boundary_replaced r
             cross join unnest(r.parents) as k (id)
             left join boundary p on p.id = k.id
             left join boundary_replaced o on o.id = k.id and p.id is null
             where r.heir = b.id and coalesce(p.id, o.heir) is not null
             union
             select r.heir
             from (select b.id union all select m.id from boundary_replaced m where m.heir = b.id) as own (id)
             join boundary_replaced r on r.children @> array[own.id]) as passed
from boundary b
where b.id = any ($1::text[])

-- name: hierarchy_set
-- params: $1 a JSON array of {id, kind, kind_known, country, countries, disputed}
-- returns: nothing
update boundary b
set kind = g.kind, kind_known = g.kind_known, country = g.country, countries = g.countries, disputed = g.disputed
from jsonb_populate_recordset(null::boundary, $1::jsonb) g
where b.id = g.id
