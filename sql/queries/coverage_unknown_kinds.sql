-- params: nothing; returns: how many boundaries have only the default kind of their level, by country and admin_level, most first, with three of them
select country, admin_level, count(*)::integer as boundaries,
       (array_agg(id order by length(id), id))[1:3] as examples
from boundary
where not kind_known
group by country, admin_level
order by count(*) desc, country, admin_level
