-- params: $1 way ids, $2 ids of boundaries that do not count; returns: the ways that the border of another relation has
select distinct w.id
from unnest($1::bigint[]) as w (id)
join boundary b on b.ways @> array[w.id]
where b.id like 'r%' and b.id <> all ($2::text[])
