-- params: $1 server, $2 milliseconds between requests, $3 milliseconds that one may wait; returns: the milliseconds to wait for the turn that was taken, or nothing when all within that time are
insert into upstream_turn as t (server, next_at)
values ($1, now() + make_interval(secs => $2::float8 / 1000))
on conflict (server) do update
set next_at = greatest(t.next_at, now()) + make_interval(secs => $2::float8 / 1000)
where t.next_at <= now() + make_interval(secs => $3::float8 / 1000)
returning greatest(0, round(extract(epoch from next_at - now()) * 1000 - $2::float8))::integer as wait_ms
