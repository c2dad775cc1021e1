-- params: $1 folded names or codes; returns: administrative boundaries called so that contain others, the most important first
select n.folded, n.boundary_id as id, b.name, b.admin_level,
       case when b.admin_level = 2 or b.kind = 'country' then b.country end as country
from unnest($1::text[]) as wanted (name)
cross join lateral (
  select m.folded, m.boundary_id, m.weight
  from boundary_name m
  where m.folded = wanted.name and m.type not in ('word', 'wikidata') and m.weight > 0
    and exists (select from boundary_parent p where p.parent = m.boundary_id)
  order by m.weight desc, m.boundary_id collate "C"
  limit 5
) n
join boundary b on b.id = n.boundary_id
where b.type = 'administrative'
order by n.weight desc, n.boundary_id collate "C"
