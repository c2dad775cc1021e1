-- name: hierarchy_candidates
-- params: $1 ids of boundaries that were written
-- returns: candidate pairs of child and parent that include one of the ids: the child's box intersects that of a
--   polygon of the parent, which has a lower admin_level and is not much smaller
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

-- name: hierarchy_clear
-- params: $1 ids of boundaries that were written
-- returns: nothing. Keeps the parents of boundaries without a shape; unshaped_touched lists those to derive again
with shaped as (
  delete from unshaped t
  where t.boundary_id = any ($1::text[]) and exists (select from boundary_shape s where s.boundary_id = t.boundary_id)
)
delete from boundary_parent p
where p.child = any ($1::text[])
   or (p.parent = any ($1::text[]) and exists (select from boundary_shape s where s.boundary_id = p.child))

-- name: hierarchy_descendants
-- params: $1 boundary ids
-- returns: the ids of all boundaries that have one of them as an ancestor
select distinct child as id from boundary_parent where parent = any ($1::text[])

-- name: hierarchy_drop_names
-- params: $1 boundary ids
-- returns: nothing
delete from boundary_name where boundary_id = any ($1::text[])

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
where p.child = o.child and p.parent = o.parent

-- name: hierarchy_put
-- params: arrays of child, parent, share
-- returns: nothing
insert into boundary_parent (child, parent, share, position)
select child, parent, share, 0
from unnest($1::text[], $2::text[], $3::float8[]) as p (child, parent, share)

-- name: hierarchy_put_names
-- params: $1 names as a JSON array of rows
-- returns: nothing
insert into boundary_name
select * from jsonb_populate_recordset(null::boundary_name, $1::jsonb)

-- name: hierarchy_rows
-- params: $1 boundary ids
-- returns: the columns that country, kind and names are derived from
select b.id, b.type, b.name, b.names, b.other_names, b.codes, b.iso, b.wikidata, b.kind, b.kind_given, b.admin_level,
       b.country, b.countries, b.disputed, b.country_given, b.country_code, b.tags, b.place, b.population, b.lat, b.lon,
       b.area_km2, b.kind_known, (select t.country from unshaped t where t.boundary_id = b.id) as traced_country,
       array(select bp.parent from boundary_parent bp where bp.child = b.id order by bp.position) as parents,
       coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'country_code', p.country_code, 'admin_level', p.admin_level)
                                  order by bp.position)
                 from boundary_parent bp
                 join boundary p on p.id = bp.parent
                 where bp.child = b.id and p.country_code is not null), '[]'::jsonb) as carriers
from boundary b
where b.id = any ($1::text[])

-- name: hierarchy_set
-- params: $1 a JSON array of {id, kind, kind_known, country, countries, disputed}
-- returns: nothing
update boundary b
set kind = g.kind, kind_known = g.kind_known, country = g.country, countries = g.countries, disputed = g.disputed
from jsonb_populate_recordset(null::boundary, $1::jsonb) g
where b.id = g.id
