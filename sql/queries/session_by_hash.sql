-- params: $1 SHA-256 of a cookie in hexadecimal; returns: the live session with its account, and its org and the role there or nulls; no row
select s.id, a.id as account_id, a.email, a.name, a.operator,
       o.id as org_id, o.slug, o.plan, m.role,
       s.last_seen_at < now() - interval '1 hour' as touch,
       extract(epoch from least(s.last_seen_at + interval '30 days', s.created_at + interval '90 days'))::double precision as expires
from session s
join account a on a.id = s.account
left join membership m on m.org = s.org and m.account = s.account
left join org o on o.id = m.org
where s.hash = decode($1, 'hex')
  and s.last_seen_at > now() - interval '30 days' and s.created_at > now() - interval '90 days'
