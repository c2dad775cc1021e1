-- params: $1 relation ids; returns: the places of their label and admin_centre nodes as far as they are known, in member order
select r.id, m.role, n.x, n.y
from osm_relation r
cross join unnest(string_to_array(r.member_types, null), r.member_refs, r.member_roles)
  with ordinality as m (type, ref, role, at)
join osm_node n on n.id = m.ref
where r.id = any ($1::bigint[]) and m.type = 'n' and m.role in ('label', 'admin_centre', 'admin_center')
  and n.x is not null
order by r.id, m.at
