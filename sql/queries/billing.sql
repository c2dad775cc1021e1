-- name: billing_count
-- params: $1 orgs, $2 ops, $3 calls, $4 units: usage of unlimited plans
-- returns: nothing
with counted as (
  select org, op, calls, units, date_trunc('month', now() at time zone 'UTC')::date as month
  from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) as c (org, op, calls, units)
  where exists (select from org o where o.id = c.org)
),
spent as (
  insert into unit_month as m (pool, month, used)
  select org, month, sum(units) from counted group by org, month order by org
  on conflict (pool, month) do update set used = m.used + excluded.used
)
insert into usage_by_op as b (org, month, op, calls, units)
select org, month, op, calls, units from counted order by org, month, op
on conflict (org, month, op) do update set calls = b.calls + excluded.calls, units = b.units + excluded.units

-- name: billing_extend
-- params: $1 a reservation id, $2 the least milliseconds until it expires
-- returns: its id, or no row when it had expired
update unit_reservation
set expires_at = greatest(expires_at, now() + $2::double precision * interval '1 millisecond')
where id = $1
returning id

-- name: billing_open_month
-- params: $1 org
-- returns: a row when the org exists. Its pool has a row for this month afterwards
with opened as (
  insert into unit_month (pool, month)
  select pool, date_trunc('month', now() at time zone 'UTC')::date from org_budget where org = $1
  on conflict do nothing
)
select id from org where id = $1

-- name: billing_plan_by_price
-- params: $1 a price at the payment provider
-- returns: the plan
select id from plan where payment_price = $1

-- name: billing_plan_price
-- params: $1 plan
-- returns: its price at the payment provider, if it is sold there
select payment_price from plan where id = $1 and listed and payment_price is not null

-- name: billing_plans
-- params: nothing
-- returns: every plan in order; `listed` is false for the plan of callers without a key
select id, name, price_month, included_units::double precision as included_units, requests_per_minute, batch_size, job_days,
       area_sets, set_areas, set_vertices::double precision as set_vertices, listed
from plan
order by position, id

-- name: billing_put_event
-- params: $1 event
-- returns: a row when it is new
insert into payment_event (id) values ($1) on conflict do nothing returning id

-- name: billing_put_subscription
-- params: $1 org, $2 subscription, $3 customer, $4 state, $5 status, $6 price or null, $7 seconds since the epoch
-- returns: a row unless a newer event was stored; a canceled subscription stays canceled
insert into subscription as s (org, id, customer, state, status, price, changed_at)
values ($1, $2, $3, $4, $5, $6, to_timestamp($7::double precision))
on conflict (id) do update set state = excluded.state, status = excluded.status, price = excluded.price, changed_at = excluded.changed_at
where s.org = excluded.org and s.status not in ('canceled', 'incomplete_expired') and s.changed_at <= excluded.changed_at
returning id

-- name: billing_refund
-- params: $1 reservation ids of one org
-- returns: those whose units were given back; the others no longer existed
with freed as (
  delete from unit_reservation where id = any ($1::text[]) returning id, pool, month, units
),
counted as (
  update unit_month m set reserved = m.reserved - f.units
  from (select pool, month, sum(units) as units from freed group by pool, month order by pool, month) f
  where m.pool = f.pool and m.month = f.month
)
select id from freed

-- name: billing_reserve
-- params: $1 org, $2 reservation ids, $3 ops, $4 units, $5 milliseconds until each expires, all in order of arrival
-- returns: a row with the ids that were granted, or no row when the org's pool has no row for this month yet (or the
--   org does not exist)
with recursive budget as (
  select pool, units from org_budget where org = $1
),
slot as (
  -- Locks and reads the newest committed state: concurrent processes and organizations are granted one after another.
  select m.pool, m.month, m.used + m.reserved as taken
  from unit_month m
  where m.pool = (select pool from budget) and m.month = date_trunc('month', now() at time zone 'UTC')::date
  for update
),
asked as (
  select * from unnest($2::text[], $3::text[], $4::bigint[], $5::double precision[])
    with ordinality as a (id, op, units, lifetime, position)
),
walk as (
  select 0::bigint as position, s.taken, false as granted from slot s
  union all
  select a.position, w.taken + case when fits.yes then a.units else 0 end, fits.yes
  from walk w
  join asked a on a.position = w.position + 1,
  lateral (select b.units is null or w.taken + a.units <= b.units as yes from budget b) fits
),
granted as (
  select a.* from walk w join asked a on a.position = w.position where w.granted
),
held as (
  insert into unit_reservation (id, org, pool, month, op, units, expires_at)
  select g.id, $1, s.pool, s.month, g.op, g.units, now() + g.lifetime * interval '1 millisecond' from granted g, slot s
),
counted as (
  update unit_month m set reserved = m.reserved + (select sum(g.units) from granted g)
  from slot s where m.pool = s.pool and m.month = s.month and exists (select from granted)
)
select coalesce((select array_agg(g.id) from granted g), '{}') as ids from slot

-- name: billing_set_price
-- params: $1 plan, $2 a price at the payment provider or null
-- returns: the plan if it exists
update plan set payment_price = $2 where id = $1 and id not in ('anonymous', 'anonymous_own') returning id

-- name: billing_settle
-- params: $1 reservation ids of one org
-- returns: those whose units are now counted as used; the others had expired
with spent as (
  delete from unit_reservation where id = any ($1::text[]) returning id, org, pool, month, op, units
),
counted as (
  update unit_month m set used = m.used + s.units, reserved = m.reserved - s.units
  from (select pool, month, sum(units) as units from spent group by pool, month order by pool, month) s
  where m.pool = s.pool and m.month = s.month
),
named as (
  insert into usage_by_op as b (org, month, op, calls, units)
  select s.org, s.month, s.op, count(*), sum(s.units) from spent s
  where exists (select from org o where o.id = s.org)
  group by s.org, s.month, s.op order by s.org, s.month, s.op
  on conflict (org, month, op) do update set calls = b.calls + excluded.calls, units = b.units + excluded.units
)
select id from spent

-- name: billing_shrink
-- params: $1 a reservation id, $2 the units to reserve from now on, fewer than before
-- returns: its id, or no row when it had expired; the difference is free again
with held as (
  select id, units from unit_reservation where id = $1 and units > $2::bigint for update
),
shrunk as (
  update unit_reservation r set units = $2::bigint
  from held h where r.id = h.id
  returning r.id, r.pool, r.month, h.units - $2::bigint as freed
),
counted as (
  update unit_month m set reserved = m.reserved - s.freed
  from shrunk s where m.pool = s.pool and m.month = s.month
)
select id from shrunk

-- name: billing_subscription
-- params: $1 org
-- returns: its subscriptions, paid ones first, the newest of each state first
select id, customer, state, status, price from subscription
where org = $1
order by array_position(array['live', 'late', 'ended'], state), changed_at desc, id desc

-- name: billing_sweep
-- params: nothing
-- returns: one row, how many expired reservations were given back
-- not null: reservations
with expired as (
  select id from unit_reservation where expires_at < now() order by id limit 1000 for update skip locked
),
freed as (
  delete from unit_reservation r using expired e where r.id = e.id returning r.pool, r.month, r.units
),
sums as (
  select pool, month, sum(units) as units from freed group by pool, month order by pool, month
),
counted as (
  update unit_month m set reserved = m.reserved - s.units
  from sums s where m.pool = s.pool and m.month = s.month
)
select count(*)::integer as reservations from freed

-- name: billing_sweep_events
-- params: nothing
-- returns: nothing. The provider retries for three days, so older events do not come again
delete from payment_event where received_at < now() - interval '30 days'

-- name: billing_sweep_pools
-- params: nothing
-- returns: nothing. Deletes the usage of accounts that were deleted in an earlier month; keeps a pool that
--   organizations or a new account use
with removed as (
  delete from pool_of_the_gone where gone_at < date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'
  returning pool
)
delete from unit_month m using removed g
where m.pool = g.pool and not exists (select from org o where o.pool = g.pool)

-- name: billing_release_expired
-- params: $1 org
-- returns: nothing. Gives back the expired reservations of its pool, whichever org made them; waits for those that
--   another process is giving back now
with expired as (
  select id from unit_reservation
  where pool = (select pool from org_budget where org = $1) and expires_at < now()
  order by id for update
),
freed as (
  delete from unit_reservation r using expired e where r.id = e.id returning r.pool, r.month, r.units
),
sums as (
  select pool, month, sum(units) as units from freed group by pool, month order by month
)
update unit_month m set reserved = m.reserved - s.units
from sums s where m.pool = s.pool and m.month = s.month

-- name: billing_usage
-- params: $1 org
-- returns: one row for the current month: the units its pool used, limit (null when unlimited), and by_op of the org
--   alone as a JSON list
-- not null: month, used, reserved, pooled
-- types: by_op readonly { readonly op: string, readonly calls: number, readonly units: number }[]
select to_char(t.month, 'YYYY-MM') as month,
       coalesce(m.used, 0)::double precision as used,
       coalesce(m.reserved, 0)::double precision as reserved,
       u.units::double precision as "limit",
       u.pool <> u.org as pooled,
       coalesce((select jsonb_agg(jsonb_build_object('op', b.op, 'calls', b.calls, 'units', b.units) order by b.op)
                 from usage_by_op b where b.org = u.org and b.month = t.month), '[]'::jsonb) as by_op
from org_budget u
cross join (select date_trunc('month', now() at time zone 'UTC')::date as month) t
left join unit_month m on m.pool = u.pool and m.month = t.month
where u.org = $1
