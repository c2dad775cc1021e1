-- params: nothing; returns: one row, how many expired reservations were given back
with expired as (
  select id from usage_reservation where expires_at < now() order by id limit 1000 for update skip locked
),
freed as (
  delete from usage_reservation r using expired e where r.id = e.id returning r.purse, r.month, r.units
),
sums as (
  select purse, month, sum(units) as units from freed group by purse, month order by purse, month
),
counted as (
  update usage_month m set reserved = m.reserved - s.units
  from sums s where m.purse = s.purse and m.month = s.month
)
select count(*)::integer as reservations from freed
