-- params: $1 arc ids; returns: those of them that no shape uses any more, now deleted
delete from arc
where id in (
  select c.id from unnest($1::bigint[]) as c (id)
  where not exists (select from boundary_shape s where s.arc_ids @> array[c.id])
)
returning id
