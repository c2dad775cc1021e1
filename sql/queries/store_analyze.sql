-- params: nothing; returns: nothing. Plans after an import are made for what is there now; the embedded database has no autovacuum
vacuum (analyze) arc, arc_conflict, way, boundary, boundary_shape, boundary_name, boundary_parent
