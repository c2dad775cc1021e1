-- params: $1 org; returns: one row for the current month: what its purse has used, limit null when unlimited, by_op of the org alone as a JSON list
select to_char(t.month, 'YYYY-MM') as month,
       coalesce(m.used, 0)::double precision as used,
       coalesce(m.reserved, 0)::double precision as reserved,
       u.units::double precision as "limit",
       u.purse <> u.org as pooled,
       coalesce((select jsonb_agg(jsonb_build_object('op', b.op, 'calls', b.calls, 'units', b.units) order by b.op)
                 from usage_by_op b where b.org = u.org and b.month = t.month), '[]'::jsonb) as by_op
from org_purse u
cross join (select date_trunc('month', now() at time zone 'UTC')::date as month) t
left join usage_month m on m.purse = u.purse and m.month = t.month
where u.org = $1
