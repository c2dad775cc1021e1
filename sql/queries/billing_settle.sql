-- takes: $1 reservation ids of one org; gives: those whose units are now used; the others had expired
with spent as (
  delete from usage_reservation where id = any ($1::text[]) returning id, org, month, op, units
),
counted as (
  update usage_month m set used = m.used + s.units, reserved = m.reserved - s.units
  from (select org, month, sum(units) as units from spent group by org, month) s
  where m.org = s.org and m.month = s.month
),
named as (
  insert into usage_by_op as b (org, month, op, calls, units)
  select org, month, op, count(*), sum(units) from spent group by org, month, op order by org, month, op
  on conflict (org, month, op) do update set calls = b.calls + excluded.calls, units = b.units + excluded.units
)
select id from spent
