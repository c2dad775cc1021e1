-- name: completeness_by_country
-- params: $1 an ISO 3166-1 code or null for all
-- returns: the number of stored boundaries by country, type and admin_level, with the sum of their areas in km2
-- not null: boundaries, broken, stale, area_km2, sources
select country, type, admin_level, count(*)::integer as boundaries,
       (count(*) filter (where not has_geometry))::integer as broken,
       (count(*) filter (where stale is not null))::integer as stale,
       coalesce(sum(area_km2) filter (where has_geometry), 0) as area_km2,
       array_agg(distinct source order by source) as sources
from boundary
where $1::text is null or country = $1::text
group by country, type, admin_level
order by country nulls last, type, admin_level nulls last

-- name: completeness_unknown_kinds
-- params: nothing
-- returns: how many boundaries have only the default kind of their level, by country and admin_level, most first, with
--   the ids of three of them
-- not null: boundaries, examples
select country, admin_level, count(*)::integer as boundaries,
       (array_agg(id order by length(id), id))[1:3] as examples
from boundary
where not kind_known
group by country, admin_level
order by count(*) desc, country, admin_level
