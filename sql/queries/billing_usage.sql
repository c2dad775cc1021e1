-- takes: $1 org; gives: one row for the current month, limit null when unlimited, by_op as a JSON list
select to_char(now() at time zone 'UTC', 'YYYY-MM') as month,
       coalesce(m.used, 0)::double precision as used,
       coalesce(m.reserved, 0)::double precision as reserved,
       p.included_units::double precision as "limit",
       coalesce((select jsonb_agg(jsonb_build_object('op', b.op, 'calls', b.calls, 'units', b.units) order by b.op)
                 from usage_by_op b where b.org = m.org and b.month = m.month), '[]'::jsonb) as by_op
from org o
join plan p on p.id = o.plan
left join usage_month m on m.org = o.id and m.month = date_trunc('month', now() at time zone 'UTC')::date
where o.id = $1
