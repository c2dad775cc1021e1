-- params: $1..$4 boxes (west, south, east, north; 1e-7 degrees); returns: whether the box of some arc meets one of them
select exists (
  select from unnest($1::float8[], $2::float8[], $3::float8[], $4::float8[]) as q (west, south, east, north)
  join arc a on a.box && box(point(q.east, q.north), point(q.west, q.south))
) as near
