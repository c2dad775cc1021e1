-- params: $1 account, $2 org or null for all; returns: the orgs the account is in, its own first, then by name
select o.id, o.slug, o.name, o.plan, o.personal_of is not null as personal, m.role, o.created_at
from membership m
join org o on o.id = m.org
where m.account = $1 and ($2::text is null or o.id = $2)
order by o.personal_of is null, o.name, o.id
