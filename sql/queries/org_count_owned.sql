-- params: $1 account; returns: how many orgs beside its own it owns
select count(*)::integer as orgs
from membership m
join org o on o.id = m.org
where m.account = $1 and m.role = 'owner' and o.personal_of is null
