-- params: $1 org, $2 limit, $3 offset; returns: a page of members, longest there first, each with the number of all
select a.id, a.email, a.name, m.role, m.created_at, count(*) over ()::integer as total
from membership m
join account a on a.id = m.account
where m.org = $1
order by m.created_at, a.id
limit $2 offset $3
