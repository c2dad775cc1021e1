-- params: $1 canonical ids, $2 seconds; returns: nothing. They are due, unless they were asked for less than so long ago
insert into upstream_fetch as f (key, outcome, ids, holds_until)
select id, 'found', array[id], now() from unnest($1::text[]) as s (id) order by id
on conflict (key) do update set holds_until = now(), outcome = coalesce(f.outcome, 'found')
where f.asked_at is null or f.asked_at < now() - make_interval(secs => $2)
