-- takes: $1 a canonical id, $2 its own admin_level or null, $3 the level wanted or null for the next that exists; gives: ids of its administrative descendants at that level, by name then id
with below as (
  select b.id, b.name, b.admin_level
  from boundary_parent p
  join boundary b on b.id = p.child
  where p.parent = $1 and b.type = 'administrative'
    and (b.admin_level is null or $2::integer is null or b.admin_level > $2::integer)
),
chosen as (
  select id, name, (select min(n.folded) from boundary_name n
                    where n.boundary_id = below.id and n.type = 'name' and n.lang is null) as folded
  from below
  where admin_level is not distinct from coalesce($3::integer, (select min(admin_level) from below))
)
select id
from chosen
order by coalesce(folded, name) collate "C", name collate "C", left(id, 1), length(id), id collate "C"
