-- takes: $1 reservation id; gives: the units that are now used, or no row when the reservation is gone
with spent as (
  delete from usage_reservation where id = $1 returning org, month, op, units
),
counted as (
  update usage_month m set used = m.used + s.units, reserved = m.reserved - s.units
  from spent s where m.org = s.org and m.month = s.month
),
named as (
  insert into usage_by_op as b (org, month, op, calls, units)
  select s.org, s.month, s.op, 1, s.units from spent s
  on conflict (org, month, op) do update set calls = b.calls + 1, units = b.units + excluded.units
)
select s.units::double precision as units from spent s
