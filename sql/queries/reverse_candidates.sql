-- takes: $1 longitude, $2 latitude, $3 the same longitude written the other way round at the antimeridian; gives: boundaries whose box holds the point
select b.id, encode(b.ring_hash, 'hex') as ring_hash
from boundary_shape s
join boundary b on b.id = s.boundary_id
where s.geom && st_setsrid(st_makepoint($1::float8, $2::float8), 4326)
   or s.geom && st_setsrid(st_makepoint($3::float8, $2::float8), 4326)
