-- params: $1 boundary ids; returns: nothing
delete from boundary_name where boundary_id = any ($1::text[])
