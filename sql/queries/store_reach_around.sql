-- params: $1..$4 boxes (west, south, east, north; 1e-7 degrees); returns: the arcs whose tiers may depend on something in one of them, with what they depend on
select distinct on (a.id) a.id, a.reach
from unnest($1::float8[], $2::float8[], $3::float8[], $4::float8[]) as q (west, south, east, north)
join arc a on a.reach_box && box(point(q.east, q.north), point(q.west, q.south))
