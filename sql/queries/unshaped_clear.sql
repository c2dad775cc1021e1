-- params: $1 boundary ids; returns: nothing. Their parents are written again
delete from boundary_parent where child = any ($1::text[])
