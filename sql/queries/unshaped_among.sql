-- params: $1 boundary ids; returns: those of them without a polygon that a source described
select id from boundary where id = any ($1::text[]) and not has_geometry and version > 0
