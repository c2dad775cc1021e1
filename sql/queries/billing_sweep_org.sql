-- takes: $1 org; gives: nothing. Its expired reservations are given back, also those that another process is giving back now: it waits for that one.
with expired as (
  select id from usage_reservation where org = $1 and expires_at < now() order by id for update
),
freed as (
  delete from usage_reservation r using expired e where r.id = e.id returning r.org, r.month, r.units
),
sums as (
  select org, month, sum(units) as units from freed group by org, month order by month
)
update usage_month m set reserved = m.reserved - s.units
from sums s where m.org = s.org and m.month = s.month
