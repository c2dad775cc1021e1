-- params: arrays of x, y (1e-7 degrees) and the level of whose parents are wanted; returns: the number of each point with the boundaries that may hold it
select q.n::integer - 1 as point, p.id, encode(p.ring_hash, 'hex') as ring_hash, p.admin_level, p.country,
       cardinality(p.ways) > 0 as mapped
from unnest($1::float8[], $2::float8[], $3::integer[]) with ordinality as q (x, y, level, n)
join boundary_shape s on s.geom && st_setsrid(st_makepoint(q.x / 1e7, q.y / 1e7), 4326)
join boundary p on p.id = s.boundary_id
where p.type = 'administrative' and p.admin_level < q.level
