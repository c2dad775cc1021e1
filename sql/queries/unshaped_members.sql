-- params: $1 boundary ids; returns: the administrative boundaries that name each as a subarea
select c.id as child, p.id as parent, p.admin_level, p.country
from unnest($1::text[]) as c (id)
join boundary p on p.subareas @> array[c.id]
where p.type = 'administrative' and p.id <> c.id
