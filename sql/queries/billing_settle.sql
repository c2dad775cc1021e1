-- params: $1 reservation ids of one org; returns: those whose units are now used; the others had expired
with spent as (
  delete from usage_reservation where id = any ($1::text[]) returning id, org, purse, month, op, units
),
counted as (
  update usage_month m set used = m.used + s.units, reserved = m.reserved - s.units
  from (select purse, month, sum(units) as units from spent group by purse, month order by purse, month) s
  where m.purse = s.purse and m.month = s.month
),
named as (
  insert into usage_by_op as b (org, month, op, calls, units)
  select s.org, s.month, s.op, count(*), sum(s.units) from spent s
  where exists (select from org o where o.id = s.org)
  group by s.org, s.month, s.op order by s.org, s.month, s.op
  on conflict (org, month, op) do update set calls = b.calls + excluded.calls, units = b.units + excluded.units
)
select id from spent
