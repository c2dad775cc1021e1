-- params: $1 account; returns: the orgs it is in, and how many members and owners those have
select o.id, o.slug, o.name, o.personal_of = $1 as personal, m.role,
       (select count(*) from membership x where x.org = o.id)::integer as members,
       (select count(*) from membership x where x.org = o.id and x.role = 'owner')::integer as owners
from membership m
join org o on o.id = m.org
where m.account = $1
order by o.id
