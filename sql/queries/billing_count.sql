-- params: $1 orgs, $2 ops, $3 calls, $4 units: what calls of unlimited plans came to; returns: nothing
with counted as (
  select org, op, calls, units, date_trunc('month', now() at time zone 'UTC')::date as month
  from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) as c (org, op, calls, units)
  where exists (select from org o where o.id = c.org)
),
spent as (
  insert into usage_month as m (purse, month, used)
  select org, month, sum(units) from counted group by org, month order by org
  on conflict (purse, month) do update set used = m.used + excluded.used
)
insert into usage_by_op as b (org, month, op, calls, units)
select org, month, op, calls, units from counted order by org, month, op
on conflict (org, month, op) do update set calls = b.calls + excluded.calls, units = b.units + excluded.units
