-- params: nothing; returns: a row for each source: what of it is stored, since when, how old it is
with counted as (
  select source, count(*)::integer as boundaries from boundary group by source
), without as (
  select source, count(*)::integer as boundaries from boundary where not has_geometry group by source
), old as (
  select source, count(*)::integer as boundaries from boundary where stale is not null group by source
), bad as (
  select source, count(*)::integer as boundaries from boundary where broken is not null group by source
)
select s.id, s.name, s.url, s.licence as license, s.attribution, s.imported_at, s.data_at, coalesce(c.boundaries, 0) as boundaries,
       coalesce(c.boundaries, 0) - coalesce(w.boundaries, 0) as with_geometry,
       coalesce(o.boundaries, 0) as stale, coalesce(b.boundaries, 0) as broken
from source s
left join counted c on c.source = s.id
left join without w on w.source = s.id
left join old o on o.source = s.id
left join bad b on b.source = s.id
order by s.id
