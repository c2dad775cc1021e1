-- takes: $1 boundary ids; gives: nothing
delete from boundary_name where boundary_id = any ($1::text[])
