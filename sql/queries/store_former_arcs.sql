-- takes: $1 boundary ids; gives: the arcs their shapes use, and where those lie (1e-7 degrees)
select a.id, (a.box[1])[0] as west, (a.box[1])[1] as south, (a.box[0])[0] as east, (a.box[0])[1] as north
from (
  select distinct r.id
  from boundary_shape s
  cross join unnest(s.arc_ids) as r (id)
  where s.boundary_id = any ($1::text[])
) u
join arc a on a.id = u.id
