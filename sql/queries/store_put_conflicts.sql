-- params: arrays of arc a, arc b, kind, x, y; returns: nothing
insert into arc_conflict (a, b, kind, x, y)
select least(a, b), greatest(a, b), kind, x, y
from unnest($1::bigint[], $2::bigint[], $3::text[], $4::integer[], $5::integer[]) as c (a, b, kind, x, y)
on conflict do nothing
