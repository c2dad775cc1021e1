-- params: $1 a reservation id, $2 the units that it is to hold from now on, fewer than it holds; returns: its id, or no row when it had expired; what it holds no more is free again
with held as (
  select id, units from usage_reservation where id = $1 and units > $2::bigint for update
),
shrunk as (
  update usage_reservation r set units = $2::bigint
  from held h where r.id = h.id
  returning r.id, r.purse, r.month, h.units - $2::bigint as freed
),
counted as (
  update usage_month m set reserved = m.reserved - s.freed
  from shrunk s where m.purse = s.purse and m.month = s.month
)
select id from shrunk
