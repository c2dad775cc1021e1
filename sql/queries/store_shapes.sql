-- takes: $1 boundary ids; gives: the stored rings of those that have a shape
select s.boundary_id as id, s.arcs, s.ring_end, s.polygon_end, b.admin_level, b.type
from boundary_shape s
join boundary b on b.id = s.boundary_id
where s.boundary_id = any ($1::text[])
