-- params: $1 ids of boundaries that were made; returns: what is no more and has one of them as its replacement (id, heir). What came back is gone no more
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
