-- params: $1 relation ids, $2 way ids; returns: nothing. Relations that are boundaries no more, and those of the ways that no boundary has, or had when it was deleted
with relations as (
  delete from osm_relation where id = any ($1::bigint[])
)
delete from way w
where w.id = any ($2::bigint[]) and not exists (select from boundary b where b.ways @> array[w.id])
  and not exists (select from boundary_gone g where g.ways @> array[w.id] and w.node_refs is not null)
