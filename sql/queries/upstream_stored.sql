-- params: $1 canonical ids, $2 the outcome of each, $3 the seconds each holds; returns: nothing. They came with the answer to another question
insert into upstream_fetch as f (key, outcome, ids, asked_at, holds_until)
select id, outcome, array[id], now(), now() + make_interval(secs => holds)
from unnest($1::text[], $2::text[], $3::integer[]) as s (id, outcome, holds)
order by id
on conflict (key) do update
set outcome = excluded.outcome, ids = excluded.ids, asked_at = excluded.asked_at, holds_until = excluded.holds_until,
    failure = null
