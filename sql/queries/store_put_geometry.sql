-- params: $1 a JSON array of rows with the columns that describe a shape, or why there is none; returns: nothing
with given as (
  select * from jsonb_populate_recordset(null::boundary, $1::jsonb)
), dropped as (
  delete from boundary_shape where boundary_id in (select id from given where not has_geometry)
)
update boundary b
set version = g.version, west = g.west, south = g.south, east = g.east, north = g.north, lat = g.lat, lon = g.lon,
    area_km2 = g.area_km2, has_geometry = g.has_geometry, broken = g.broken, stale = null,
    geometry_hash = g.geometry_hash, ring_hash = null
from given g
where b.id = g.id
