-- takes: $1 arc ids; gives: all arcs, in order, of every way that uses one of them
select way_id, arc
from way_arc
where way_id in (select way_id from way_arc where arc_id = any ($1::bigint[]))
order by way_id, position
