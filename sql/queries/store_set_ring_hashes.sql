-- params: $1 boundary ids; returns: nothing. ring_hash covers the arcs and everything that shapes a tier, wherever rings begin
update boundary b
set ring_hash = h.ring_hash
from (
  select s.boundary_id,
         sha256(convert_to(cardinality(s.ring_end)::text || ' ' || cardinality(s.polygon_end)::text, 'UTF8') || string_agg(
           a.hash || int8send(sign(r.ref)::bigint) || sha256(a.weights || a.ends || int8send(a.exact)),
           ''::bytea order by a.hash)) as ring_hash
  from boundary_shape s
  cross join unnest(s.arcs) as r (ref)
  join arc a on a.id = abs(r.ref)
  where s.boundary_id = any ($1::text[])
  group by s.boundary_id
) h
where h.boundary_id = b.id and b.ring_hash is distinct from h.ring_hash
