-- takes: $1 reservation id; gives: the units given back, or no row when the reservation is gone
with freed as (
  delete from usage_reservation where id = $1 returning org, month, units
),
counted as (
  update usage_month m set reserved = m.reserved - f.units
  from freed f where m.org = f.org and m.month = f.month
)
select f.units::double precision as units from freed f
