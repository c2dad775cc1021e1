-- params: $1 ISO 3166-1 codes; returns: for each code the boundary that carries it, the map's before a coarse one
select distinct on (b.country_code) b.country_code, b.id as parent, b.admin_level, b.country
from boundary b
join source s on s.id = b.source
where b.country_code = any ($1::text[]) and b.type = 'administrative' and b.admin_level is not null
order by b.country_code, s.seed, b.admin_level, length(b.id), b.id
