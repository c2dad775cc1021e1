-- takes: $1 reservation ids of one org; gives: those whose units were given back; the others were gone
with freed as (
  delete from usage_reservation where id = any ($1::text[]) returning id, org, month, units
),
counted as (
  update usage_month m set reserved = m.reserved - f.units
  from (select org, month, sum(units) as units from freed group by org, month) f
  where m.org = f.org and m.month = f.month
)
select id from freed
