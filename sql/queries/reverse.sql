-- name: reverse_candidates
-- params: $1 longitude, $2 latitude, $3 the same longitude written the other way round at the antimeridian
-- returns: boundaries whose box holds the point, with the revision of the data; where there is none, one row with the
--   revision alone
-- prepared: planned once a session, as planning it takes longer than running it
with found as (
  select s.boundary_id as id
  from boundary_shape s
  where s.geom && st_setsrid(st_makepoint($1::float8, $2::float8), 4326)
     or s.geom && st_setsrid(st_makepoint($3::float8, $2::float8), 4326)
)
select r.revision, found.id
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true
