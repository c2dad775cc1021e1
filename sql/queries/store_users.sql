-- params: $1 arc ids; returns: the boundaries that use one of them
select distinct s.boundary_id as id
from unnest($1::bigint[]) as r (id)
join boundary_shape s on s.arc_ids @> array[r.id]
