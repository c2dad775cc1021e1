-- name: reverse_candidates
-- params: $1 longitude, $2 latitude, $3 the same longitude with the other sign at the antimeridian
-- returns: boundaries whose box contains the point, with the revision of the data; if there are none, one row with only
--   the revision
-- prepared: planned once per session, because planning takes longer than running
with found as (
  select s.boundary_id as id
  from boundary_shape s
  where s.geom && st_setsrid(st_makepoint($1::float8, $2::float8), 4326)
     or s.geom && st_setsrid(st_makepoint($3::float8, $2::float8), 4326)
)
select r.revision, found.id
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true

-- name: reverse_candidates_of_sets
-- params: $1 longitude, $2 latitude, $3 the same longitude with the other sign at the antimeridian
-- returns: what reverse_candidates does, where area sets are read
-- not null: revision
with found as (
  select id from shapes_meeting(st_setsrid(st_makepoint($1::float8, $2::float8), 4326)) as s (id)
  union
  select id from shapes_meeting(st_setsrid(st_makepoint($3::float8, $2::float8), 4326)) as s (id)
  where $3::float8 <> $1::float8
)
select r.revision, found.id
from (select (select base from data_revision) + (select count(*) from data_change) as revision) r
left join found on true
