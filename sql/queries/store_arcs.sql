-- params: $1 arc ids; returns: what the topology writer needs of each
select a.id, a.hash, a.coords, a.weights, a.ends, a.exact, a.class, a.main,
       exists (select from arc_conflict c where c.a = a.id or c.b = a.id) as conflicted
from arc a
where a.id = any ($1::bigint[])
