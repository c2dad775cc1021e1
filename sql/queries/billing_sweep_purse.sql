-- params: $1 org; returns: nothing. The expired reservations of its purse are given back, whichever org made them, also those that another process is giving back now: it waits for that one.
with expired as (
  select id from usage_reservation
  where purse = (select purse from org_purse where org = $1) and expires_at < now()
  order by id for update
),
freed as (
  delete from usage_reservation r using expired e where r.id = e.id returning r.purse, r.month, r.units
),
sums as (
  select purse, month, sum(units) as units from freed group by purse, month order by month
)
update usage_month m set reserved = m.reserved - s.units
from sums s where m.purse = s.purse and m.month = s.month
