-- params: $1 versions as a JSON array of rows; returns: nothing. A live one takes the place of the one before
with put as (
  insert into boundary_version
  select * from jsonb_populate_recordset(null::boundary_version, $1::jsonb)
  on conflict do nothing
  returning boundary_id, version, live
)
update boundary_version v set live = false
from put
where put.live and v.boundary_id = put.boundary_id and v.version <> put.version and v.live
