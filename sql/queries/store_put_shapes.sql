-- params: arrays of boundary id, arcs, ring ends, polygon ends, distinct arc ids (each the text of an array), the largest polygon, EWKB; returns: nothing
insert into boundary_shape (boundary_id, arcs, ring_end, polygon_end, arc_ids, largest, geom)
select boundary_id, arcs::bigint[], ring_end::integer[], polygon_end::integer[], arc_ids::bigint[], largest, st_geomfromewkb(geom)
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::bytea[])
     as s (boundary_id, arcs, ring_end, polygon_end, arc_ids, largest, geom)
on conflict (boundary_id) do update
set arcs = excluded.arcs, ring_end = excluded.ring_end, polygon_end = excluded.polygon_end,
    arc_ids = excluded.arc_ids, largest = excluded.largest, geom = excluded.geom
