-- takes: $1 boundary ids that were made; gives: nothing
delete from boundary_parent where child = any ($1::text[]) or parent = any ($1::text[])
