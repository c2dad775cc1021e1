-- params: $1 a JSON array of {boundary_id, west, south, east, north (degrees or null), country, basis}; returns: nothing
insert into unshaped (boundary_id, extent, country, basis)
select boundary_id, st_makeenvelope(west, south, east, north, 4326), country, basis
from jsonb_to_recordset($1::jsonb)
     as t (boundary_id text, west float8, south float8, east float8, north float8, country text, basis text)
on conflict (boundary_id) do update
set extent = excluded.extent, country = excluded.country, basis = excluded.basis
