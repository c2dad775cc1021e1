-- name: requests_lease
-- params: $1 subjects, $2 the limit of each, $3 how many requests are wanted for each
-- returns: the requests granted, those left for other processes, and the milliseconds until the minute ends
insert into rate_window as r (subject, minute, taken, granted, allowed)
select subject, floor(extract(epoch from now()) / 60)::bigint, wanted, wanted, allowed
from unnest($1::text[], $2::integer[], $3::integer[]) as w (subject, allowed, wanted)
order by subject
on conflict (subject) do update set
  minute = excluded.minute,
  allowed = excluded.allowed,
  granted = case when r.minute = excluded.minute
                 then greatest(0, least(excluded.granted, excluded.allowed - r.taken)) else excluded.granted end,
  taken = case when r.minute = excluded.minute
               then greatest(r.taken, least(r.taken + excluded.granted, excluded.allowed)) else excluded.granted end
returning subject, granted, allowed - taken as remaining,
          ceil((60 - extract(epoch from now())::numeric % 60) * 1000)::integer as left_ms

-- name: requests_plans
-- params: nothing
-- returns: every plan with its requests per minute, null when unlimited
select id, requests_per_minute from plan

-- name: requests_sweep
-- params: nothing
-- returns: nothing. Deletes the windows of past minutes
delete from rate_window where minute < floor(extract(epoch from now()) / 60) - 1
