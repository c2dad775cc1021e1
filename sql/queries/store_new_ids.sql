-- params: $1 how many; returns: that many numbers of boundaries that have no OpenStreetMap id
select nextval('local_boundary_id') as number from generate_series(1, $1::integer)
