-- params: $1 org, $2 account; returns: the member, or no row
select a.id, a.email, a.name, m.role, m.created_at
from membership m
join account a on a.id = m.account
where m.org = $1 and m.account = $2
