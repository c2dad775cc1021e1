-- takes: $1 boundary ids; gives: the arcs their shapes use
select arc_ids from boundary_shape where boundary_id = any ($1::text[])
