-- takes: $1 arc ids; gives: those of them that no shape uses any more, now deleted together with the spans of ways they were
with dead as (
  select id from unnest($1::bigint[]) as c (id)
  where not exists (select from boundary_shape s where s.arc_ids @> array[c.id])
), spans as (
  delete from way_arc where arc_id in (select id from dead)
)
delete from arc where id in (select id from dead) returning id
