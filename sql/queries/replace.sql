-- name: replace_candidates
-- params: $1 ids of administrative boundaries that were written
-- returns: seed boundaries that may be the same place, with the rule that matched (1 is the most certain)
with made as (
  select b.*, n.folded
  from boundary b
  left join boundary_name n on n.boundary_id = b.id and n.type = 'name' and n.lang is null
  where b.id = any ($1::text[]) and b.type = 'administrative' and b.has_geometry
), seed as (
  select b.* from boundary b join source s on s.id = b.source where s.seed and b.type = 'administrative'
), pair as (
  select m.id, s.id as seed, 1 as rule from made m join seed s on s.wikidata = m.wikidata
  union all
  select m.id, s.id, 2 from made m join seed s on s.iso = m.iso
  union all
  select m.id, s.id, 3
  from made m
  cross join unnest(m.codes) as c (code)
  join seed s on s.source_id = c.code and s.country = m.country and s.admin_level = m.admin_level
  union all
  select m.id, s.id, 4
  from made m
  join boundary_name n on n.folded = m.folded and n.type = 'name'
  join seed s on s.id = n.boundary_id and s.kind = m.kind and s.country = m.country
)
select pair.id, encode(m.ring_hash, 'hex') as ring_hash, pair.seed, encode(s.ring_hash, 'hex') as seed_hash,
       min(pair.rule) as rule
from pair
join boundary m on m.id = pair.id
join boundary s on s.id = pair.seed
where pair.id <> pair.seed
group by pair.id, m.ring_hash, pair.seed, s.ring_hash
order by min(pair.rule), pair.id, pair.seed

-- name: replace_doubles
-- params: $1 ids of administrative boundaries that were written, $2 seed boundaries that are replaced
-- returns: how many other seed boundaries of the same kind and country overlap them and stay
select count(distinct s.id)::integer as doubles
from boundary m
join boundary_shape ms on ms.boundary_id = m.id
join boundary_shape ss on ss.geom && ms.geom
join boundary s on s.id = ss.boundary_id and s.kind = m.kind and s.country = m.country and s.admin_level = m.admin_level
join source o on o.id = s.source and o.seed
where exists (select from source any_seed where any_seed.seed)
  and m.id = any ($1::text[]) and m.type = 'administrative' and s.id <> m.id and not (s.id = any ($2::text[]))
  and st_covers(st_makeenvelope(m.west / 1e7, m.south / 1e7, m.east / 1e7, m.north / 1e7, 4326),
                st_setsrid(st_makepoint(s.lon / 1e7, s.lat / 1e7), 4326))
