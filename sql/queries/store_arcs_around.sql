-- params: $1..$4 boxes (west, south, east, north; 1e-7 degrees), $5 the largest class wanted in each, $6 arc ids already known; returns: what the topology writer needs of the other arcs whose box meets one of them
with met as materialized (
  select distinct a.id
  from unnest($1::float8[], $2::float8[], $3::float8[], $4::float8[], $5::integer[]) as q (west, south, east, north, class)
  join arc a on a.box && box(point(q.east, q.north), point(q.west, q.south)) and a.class <= q.class
)
select a.id, a.hash, a.coords, a.weights, a.ends, a.exact, a.class, a.main,
       exists (select from arc_conflict c where c.a = a.id or c.b = a.id) as conflicted
from met
join arc a on a.id = met.id
where not exists (select from unnest($6::bigint[]) as known (id) where known.id = met.id)
