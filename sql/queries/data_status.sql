-- takes: nothing; gives: a row for each source: what of it is stored, since when, how old it is
select s.id, s.name, s.url, s.licence, s.attribution, s.imported_at, s.data_at, count(b.id)::integer as boundaries,
       (count(b.id) filter (where b.has_geometry))::integer as with_geometry,
       (count(b.id) filter (where b.stale is not null))::integer as stale,
       (count(b.id) filter (where b.broken is not null))::integer as broken
from source s
left join boundary b on b.source = s.id
group by s.id
order by s.id
