-- params: $1 ids of boundaries that are no more; returns: boundaries that may be of the same place, and by what rule (1 is the surest), the likeliest first
with gone as (
  select b.*, n.folded
  from boundary b
  left join boundary_name n on n.boundary_id = b.id and n.type = 'name' and n.lang is null
  where b.id = any ($1::text[])
), pair as (
  select g.id, h.id as heir, 1 as rule from gone g join boundary h on h.wikidata = g.wikidata
  union all
  select g.id, h.id, 2 from gone g join boundary h on h.iso = g.iso
  union all
  select g.id, h.id, 4
  from gone g
  join boundary_name n on n.folded = g.folded and n.type = 'name'
  join boundary h on h.id = n.boundary_id and h.kind = g.kind
)
select p.id, encode(g.ring_hash, 'hex') as ring_hash, p.heir, encode(h.ring_hash, 'hex') as heir_hash,
       min(p.rule) as rule
from pair p
join boundary g on g.id = p.id
join boundary h on h.id = p.heir
join source s on s.id = h.source and not s.seed
where h.id <> all ($1::text[]) and h.type = g.type
group by p.id, g.ring_hash, p.heir, h.ring_hash, h.admin_level, g.admin_level, h.has_geometry
order by p.id, min(p.rule), h.admin_level is distinct from g.admin_level, not h.has_geometry, p.heir
