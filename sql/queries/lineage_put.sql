-- params: arrays of child, parent, share; returns: nothing
insert into boundary_parent (child, parent, share, position)
select child, parent, share, 0
from unnest($1::text[], $2::text[], $3::float8[]) as p (child, parent, share)
