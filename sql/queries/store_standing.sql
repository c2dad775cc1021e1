-- takes: $1..$4 boxes (west, south, east, north; 1e-7 degrees), $5 boundary ids already known; gives: ids of other boundaries with an arc whose box meets one of them
with met as materialized (
  select distinct a.id
  from unnest($1::float8[], $2::float8[], $3::float8[], $4::float8[]) as q (west, south, east, north)
  join arc a on a.box && box(point(q.east, q.north), point(q.west, q.south))
)
select distinct s.boundary_id as id
from met
join boundary_shape s on s.arc_ids @> array[met.id]
where not exists (select from unnest($5::text[]) as known (id) where known.id = s.boundary_id)
