-- params: $1 boundary ids; returns: the ids of all boundaries that have one of them as a parent
select distinct child as id from boundary_parent where parent = any ($1::text[])
