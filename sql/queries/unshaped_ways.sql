-- params: $1 way ids; returns: those whose places are known, with the admin_level of their own tags
select id, coords, case when tags ->> 'admin_level' ~ '^\d{1,2}$' then (tags ->> 'admin_level')::integer end as admin_level
from way
where id = any ($1::bigint[]) and coords is not null
