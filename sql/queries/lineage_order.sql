-- params: $1 child ids; returns: nothing. Parents are ordered outermost first: by admin_level, then the largest
update boundary_parent p
set position = o.position
from (
  select bp.child, bp.parent,
         row_number() over (partition by bp.child order by b.admin_level, b.area_km2 desc, b.id) - 1 as position
  from boundary_parent bp
  join boundary b on b.id = bp.parent
  where bp.child = any ($1::text[])
) o
where p.child = o.child and p.parent = o.parent
