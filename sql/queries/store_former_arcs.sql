-- params: $1 boundary ids; returns: the arcs their shapes use, as the topology writer needs them
select a.id, a.hash, a.coords, a.weights, a.ends, a.exact, a.class, a.main,
       exists (select from arc_conflict c where c.a = a.id or c.b = a.id) as conflicted
from (
  select distinct r.id
  from boundary_shape s
  cross join unnest(s.arc_ids) as r (id)
  where s.boundary_id = any ($1::text[])
) u
join arc a on a.id = u.id
