-- name: upstream_answered
-- params: $1 key, $2 lease of the caller, $3 outcome, $4 ids found, $5 seconds that the answer is fresh
-- returns: nothing
update upstream_fetch
set lease = null, leased_until = null, server = null, outcome = $3, ids = $4, asked_at = now(),
    holds_until = now() + make_interval(secs => $5), failure = null
where key = $1 and lease = $2

-- name: upstream_beat
-- params: $1 lease of the caller, $2 keys, $3 seconds
-- returns: nothing. Extends the leases to that many seconds from now
update upstream_fetch set leased_until = now() + make_interval(secs => $3)
where lease = $1 and key = any ($2::text[])

-- name: upstream_claim
-- params: $1 key, $2 lease of the caller, $3 seconds that the lease lasts, $4 whether to ask even if the answer is
--   fresh
-- returns: whether the caller got the lease and asks now, and the last answer or failure
-- not null: mine, holds
-- types: ids string[]
with taken as (
  insert into upstream_fetch as f (key, lease, leased_until)
  values ($1, $2, now() + make_interval(secs => $3))
  on conflict (key) do update set lease = excluded.lease, leased_until = excluded.leased_until, server = null, failure = null
  where (f.leased_until is null or f.leased_until <= now())
    and ($4::boolean or f.holds_until is null or f.holds_until <= now())
  returning f.key
)
select exists (select from taken) as mine, f.outcome, f.ids, f.failure, coalesce(f.holds_until > now(), false) as holds
from (select 1) as one
left join upstream_fetch f on f.key = $1

-- name: upstream_due
-- params: how many
-- returns: boundaries to ask for again: the answer is no longer fresh, or a refetch was requested; the oldest first
select key from upstream_fetch
where outcome in ('found', 'broken') and holds_until <= now() and key ~ '^[rw][0-9]+$'
  and (leased_until is null or leased_until <= now())
order by holds_until
limit $1

-- name: upstream_failed
-- params: $1 key, $2 lease of the caller, $3 why it failed, $4 seconds that an existing answer stays fresh, $5 seconds
--   until the next attempt when there is no answer
-- returns: nothing. Keeps the last answer
update upstream_fetch
set lease = null, leased_until = null, server = null, failure = $3,
    holds_until = case when outcome in ('found', 'broken')
                       then greatest(holds_until, now() + make_interval(secs => $4))
                       else now() + make_interval(secs => $5) end
where key = $1 and lease = $2

-- name: upstream_gone
-- params: $1 a canonical id, $2 the reason
-- returns: a row when it is stored. Keeps the last good shape and marks it stale
update boundary b
set stale = jsonb_build_object('reason', $2::text, 'lat', b.lat / 1e7, 'lon', b.lon / 1e7,
                               'since', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
from source s
where b.id = $1 and s.id = b.source and not s.seed and b.has_geometry and b.stale is null
returning b.id

-- name: upstream_grant
-- params: $1 for an anonymous caller, $2 in the background, $3 requests a day, $4 bytes a day, $5 and $6 the shares of
--   both that anonymous calls and background work may use
-- returns: the bytes left when one more request is within the day's budget, else no row. Locks the row of the day
-- not null: bytes_left
insert into upstream_day as d (day, requests, anonymous_requests, background_requests)
select (now() at time zone 'utc')::date, 1, $1::boolean::integer, $2::boolean::integer
where $3::bigint > 0 and $4::bigint > 0 and (not $1::boolean or $3 * $5::float8 >= 1) and (not $2::boolean or $3 * $6::float8 >= 1)
on conflict (day) do update
set requests = d.requests + 1,
    anonymous_requests = d.anonymous_requests + excluded.anonymous_requests,
    background_requests = d.background_requests + excluded.background_requests
where d.requests < $3 and d.bytes < $4
  and (not $1 or (d.anonymous_requests + 1 <= $3 * $5 and d.anonymous_bytes < $4 * $5))
  and (not $2 or (d.background_requests + 1 <= $3 * $6 and d.background_bytes < $4 * $6))
returning $4 - d.bytes as bytes_left

-- name: upstream_leave
-- params: $1 key, $2 lease of the caller
-- returns: nothing. Frees the slot of the server and keeps the lease
update upstream_fetch set server = null where key = $1 and lease = $2

-- name: upstream_link
-- params: $1 a canonical id, $2 ids of its subdivisions
-- returns: nothing. Subdivisions without a shape get this boundary and its parents as parents
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

-- name: upstream_put_named
-- params: $1 boundaries as a JSON array of rows without a shape
-- returns: the ids that were new
insert into boundary
select * from jsonb_populate_recordset(null::boundary, $1::jsonb)
on conflict do nothing
returning id

-- name: upstream_refetch
-- params: $1 canonical ids, $2 seconds
-- returns: nothing. Makes them due, unless they were asked for within the last $2 seconds
insert into upstream_fetch as f (key, outcome, ids, holds_until)
select id, 'found', array[id], now() from unnest($1::text[]) as s (id) order by id
on conflict (key) do update set holds_until = now(), outcome = coalesce(f.outcome, 'found')
where f.asked_at is null or f.asked_at < now() - make_interval(secs => $2)

-- name: upstream_slot
-- params: $1 key, $2 lease of the caller, $3 server, $4 how many requests it may serve at once
-- returns: a row when a slot was free. Run it while the row of the day is locked
update upstream_fetch set server = $3
where key = $1 and lease = $2
  and (select count(*) from upstream_fetch where server = $3 and leased_until > now()) < $4::integer
returning key

-- name: upstream_spent
-- params: $1 for an anonymous caller, $2 in the background, $3 bytes
-- returns: nothing
insert into upstream_day as d (day, bytes, anonymous_bytes, background_bytes)
values ((now() at time zone 'utc')::date, $3::bigint,
        case when $1::boolean then $3::bigint else 0 end, case when $2::boolean then $3::bigint else 0 end)
on conflict (day) do update
set bytes = d.bytes + excluded.bytes,
    anonymous_bytes = d.anonymous_bytes + excluded.anonymous_bytes,
    background_bytes = d.background_bytes + excluded.background_bytes

-- name: upstream_stored
-- params: $1 canonical ids, $2 the outcome of each, $3 the seconds that each is fresh
-- returns: nothing. Stores boundaries that came with the answer for another key
insert into upstream_fetch as f (key, outcome, ids, asked_at, holds_until)
select id, outcome, array[id], now(), now() + make_interval(secs => holds)
from unnest($1::text[], $2::text[], $3::integer[]) as s (id, outcome, holds)
order by id
on conflict (key) do update
set outcome = excluded.outcome, ids = excluded.ids, asked_at = excluded.asked_at, holds_until = excluded.holds_until,
    failure = null

-- name: upstream_sweep
-- params: nothing
-- returns: nothing. Deletes answers that are neither fresh nor leased, and days older than 31
with days as (delete from upstream_day where day < (now() at time zone 'utc')::date - 31)
delete from upstream_fetch
where (leased_until is null or leased_until <= now()) and coalesce(holds_until, 'epoch') <= now()
  and (outcome is null or outcome = 'missing' or key !~ '^[rw][0-9]+$')

-- name: upstream_turn
-- params: $1 server, $2 milliseconds between requests, $3 milliseconds that a request may wait
-- returns: the milliseconds until the slot that was taken, or no row when the wait would be longer
insert into upstream_turn as t (server, next_at)
values ($1, now() + make_interval(secs => $2::float8 / 1000))
on conflict (server) do update
set next_at = greatest(t.next_at, now()) + make_interval(secs => $2::float8 / 1000)
where t.next_at <= now() + make_interval(secs => $3::float8 / 1000)
returning greatest(0, round(extract(epoch from next_at - now()) * 1000 - $2::float8))::integer as wait_ms

-- name: upstream_watch
-- params: $1 keys
-- returns: the state of each
select key, coalesce(leased_until > now(), false) as running, outcome, ids,
       coalesce(holds_until > now(), false) as holds, failure
from upstream_fetch
where key = any ($1::text[])
