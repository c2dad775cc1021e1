-- params: $1 a canonical id, $2 its own admin_level or null, $3 'level', 'direct' (its direct parent is the boundary) or 'all', $4 of 'level' the admin_level, null for the next that exists; returns: one row about its administrative descendants of that sort: the revision of the data, how many, their part of its area, the levels of other direct ones, and their ids by local name then id, in pieces of 1,000
with below as materialized (
  select b.id, b.name, b.admin_level, b.area_km2 * p.share as area
  from boundary_parent p
  join boundary b on b.id = p.child
  where p.parent = $1 and b.type = 'administrative'
    and (b.admin_level is null or $2::integer is null or b.admin_level > $2::integer)
),
nested as (
  select distinct q.child as id
  from below
  join boundary_parent q on q.child = below.id
  join below outer_one on outer_one.id = q.parent
),
marked as materialized (
  select below.*, nested.id is null as direct,
         case $3::text
           when 'all' then true
           when 'direct' then nested.id is null
           else below.admin_level is not distinct from coalesce($4::integer, (select min(admin_level) from below))
         end as listed
  from below
  left join nested on nested.id = below.id
),
named as (
  select id, name, (select min(n.folded) from boundary_name n
                    where n.boundary_id = marked.id and n.type = 'name' and n.lang is null) as folded
  from marked
  where listed
),
ordered as (
  select id, row_number() over (order by coalesce(folded, name) collate "C", name collate "C",
                                         left(id, 1), length(id), id collate "C") - 1 as position
  from named
),
piece as (
  select position / 1000 as number, string_agg(id, ' ' order by position) as ids
  from ordered
  group by 1
)
select (select base from data_revision) + (select count(*) from data_change) as revision,
       (select count(*) from marked where listed)::integer as total,
       (select count(*) from marked where listed and area is not null)::integer as measured,
       (select coalesce(sum(area), 0) from marked where listed and (direct or $3::text = 'level')) as area,
       coalesce((select jsonb_agg(jsonb_build_object('admin_level', o.admin_level, 'count', o.count) order by o.admin_level)
                 from (select admin_level, count(*) from marked where direct and not listed group by 1) o),
                '[]'::jsonb) as other_levels,
       array(select ids from piece order by number) as pieces
