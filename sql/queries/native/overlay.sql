-- params: $1 ids to merge, $2 ids to cut out; returns: the result in units of 1e-7 degrees on the integer grid, as WKB
with included as (
  select coalesce(st_union(st_scale(geom, 1e7, 1e7), 1.0), 'srid=4326;polygon empty') as geom
  from boundary_shape where boundary_id = any ($1::text[])
), excluded as (
  select st_union(st_scale(geom, 1e7, 1e7), 1.0) as geom from boundary_shape where boundary_id = any ($2::text[])
)
select st_asbinary(
         case when e.geom is null then i.geom else st_difference(i.geom, e.geom, 1.0) end, 'NDR'
       ) as wkb
from included i, excluded e
