-- params: $1 a canonical id, $2 ids of its subdivisions; returns: nothing. Those without a shape of their own have it and its parents for parents
insert into boundary_parent (child, parent, share, position)
select b.id, p.parent, 1, p.position
from boundary b
cross join (
  select parent, position from boundary_parent where child = $1
  union all
  select $1, (select count(*) from boundary_parent where child = $1)
) p
where b.id = any ($2::text[]) and b.id <> $1 and not b.has_geometry and p.parent <> b.id
on conflict (child, parent) do nothing
