-- params: $1 reservation ids of one org; returns: those whose units were given back; the others were gone
with freed as (
  delete from usage_reservation where id = any ($1::text[]) returning id, purse, month, units
),
counted as (
  update usage_month m set reserved = m.reserved - f.units
  from (select purse, month, sum(units) as units from freed group by purse, month order by purse, month) f
  where m.purse = f.purse and m.month = f.month
)
select id from freed
