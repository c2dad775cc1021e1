-- params: arrays of boundary id, version on the map, reason, replacement (or null); returns: nothing. Writes down what is about to be dropped; what it stood for follows it
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
