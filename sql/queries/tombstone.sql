-- name: tombstone_candidates
-- params: $1 ids of boundaries that are being removed
-- returns: possible successors of each, with the rule that matched (1 is the most certain), the best first
-- not null: id, heir, rule
with removed as (
  select b.*, n.folded
  from boundary b
  left join boundary_name n on n.boundary_id = b.id and n.type = 'name' and n.lang is null
  where b.id = any ($1::text[])
), pair as (
  select g.id, h.id as heir, 1 as rule from removed g join boundary h on h.wikidata = g.wikidata
  union all
  select g.id, h.id, 2 from removed g join boundary h on h.iso = g.iso
  union all
  select g.id, h.id, 4
  from removed g
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

-- name: tombstone_find
-- params: $1 canonical ids
-- returns: the tombstones of the removed ones
select id, version, reason, gone_at, name, replaced_by from boundary_gone where id = any ($1::text[])

-- name: tombstone_put
-- params: arrays of boundary id, version on the map, reason, replacement (or null)
-- returns: nothing. Writes a tombstone for each boundary about to be deleted; tombstones that named it as their
--   replacement now name its own
with given as (
  select * from unnest($1::text[], $2::integer[], $3::text[], $4::text[]) as g (id, version, reason, heir)
), followed as (
  update boundary_gone o set replaced_by = g.heir from given g where o.replaced_by = g.id
)
insert into boundary_gone (id, version, reason, name, type, kind, admin_level, country, wikidata, iso, ways, replaced_by)
select b.id, g.version, g.reason, b.name, b.type, b.kind, b.admin_level, b.country, b.wikidata, b.iso,
       case when g.reason = 'member' then '{}' else b.ways end, g.heir
from given g
join boundary b on b.id = g.id
on conflict (id) do update
set version = excluded.version, reason = excluded.reason, gone_at = now(), name = excluded.name, type = excluded.type,
    kind = excluded.kind, admin_level = excluded.admin_level, country = excluded.country,
    wikidata = excluded.wikidata, iso = excluded.iso, ways = excluded.ways, replaced_by = excluded.replaced_by

-- name: tombstone_settle
-- params: $1 ids of boundaries that were written
-- returns: the tombstones that got one of them as replacement (id, heir). Deletes the tombstones of ids that came back
with back as (
  delete from boundary_gone where id = any ($1::text[])
), unalias as (
  delete from boundary_alias where id = any ($1::text[])
), pair as (
  select g.id, b.id as heir, 1 as rule
  from boundary b join boundary_gone g on g.wikidata = b.wikidata and g.replaced_by is null and g.type = b.type
  where b.id = any ($1::text[])
  union all
  select g.id, b.id, 2
  from boundary b join boundary_gone g on g.iso = b.iso and g.replaced_by is null and g.type = b.type
  where b.id = any ($1::text[])
), best as (
  select distinct on (id) id, heir from pair where id <> all ($1::text[]) order by id, rule, heir
)
update boundary_gone g set replaced_by = best.heir from best where g.id = best.id
returning g.id, g.replaced_by as heir
