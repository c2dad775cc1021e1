-- params: $1 account, $2 org; returns: one row about both and the role there
select a.id, a.email, a.name, a.created_at, o.id as org_id, o.slug, o.name as org_name, o.plan, m.role
from account a
join membership m on m.account = a.id
join org o on o.id = m.org
where a.id = $1 and o.id = $2
