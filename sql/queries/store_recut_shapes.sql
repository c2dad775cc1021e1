-- params: $1 shapes as a JSON array: boundary_id, arcs, ring_end, arc_ids; returns: nothing. The same geometry over finer arcs
update boundary_shape s
set arcs = r.arcs, ring_end = r.ring_end, arc_ids = r.arc_ids
from jsonb_populate_recordset(null::boundary_shape, $1::jsonb) r
where s.boundary_id = r.boundary_id
