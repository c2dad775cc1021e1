-- params: $1 way ids; $2 ways that left borders, $3 whose (boundary ids, as many); returns: nothing. Those that no boundary has (nor had when it was deleted, while they are on the map) are dropped, but for what left one that keeps an older shape or has none: when its border is repaired it may be named again, and no change will hold it
delete from way w
where w.id = any ($1::bigint[])
  and not exists (select from boundary b where b.ways @> array[w.id])
  and not exists (select from boundary_gone g where g.ways @> array[w.id] and w.node_refs is not null)
  and not exists (
    select from unnest($2::bigint[], $3::text[]) as l (way, boundary)
    join boundary b on b.id = l.boundary
    where l.way = w.id and (b.stale is not null or b.broken is not null)
  )
