-- takes: $1 arc ids; gives: all that the kernels need of each, and the arcs it meets other than at ends
select a.id, a.revision, a.coords, a.weights, a.ends, a.exact, a.area, a.turn,
       array(select c.b from arc_conflict c where c.a = a.id
             union all
             select c.a from arc_conflict c where c.b = a.id and c.a <> a.id) as conflicts
from arc a
where a.id = any ($1::bigint[])
