-- takes: $1 org, $2 reservation id, $3 op, $4 units, $5 milliseconds until it expires; gives: the id, or no row when the units do not fit
with budget as (
  select p.included_units as units from org o join plan p on p.id = o.plan where o.id = $1
),
granted as (
  -- The conflicting row is locked and its newest values are compared, so that concurrent callers are granted one by one.
  insert into usage_month as m (org, month, reserved)
  select $1::text, date_trunc('month', now() at time zone 'UTC')::date, $4::bigint
  from budget
  where budget.units is null or $4::bigint <= budget.units
  on conflict (org, month) do update set reserved = m.reserved + excluded.reserved
  where (select b.units is null or m.used + m.reserved + excluded.reserved <= b.units from budget b)
  returning m.org, m.month
)
insert into usage_reservation (id, org, month, op, units, expires_at)
select $2::text, g.org, g.month, $3::text, $4::bigint, now() + $5::double precision * interval '1 millisecond'
from granted g
returning id
