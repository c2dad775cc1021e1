-- takes: $1 shapes as a JSON array: boundary_id, arcs, ring_end, polygon_end, arc_ids, geom (hex EWKB); gives: nothing
insert into boundary_shape (boundary_id, arcs, ring_end, polygon_end, arc_ids, geom)
select boundary_id, arcs, ring_end, polygon_end, arc_ids, geom
from jsonb_populate_recordset(null::boundary_shape, $1::jsonb)
on conflict (boundary_id) do update
set arcs = excluded.arcs, ring_end = excluded.ring_end, polygon_end = excluded.polygon_end,
    arc_ids = excluded.arc_ids, geom = excluded.geom
