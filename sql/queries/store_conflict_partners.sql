-- params: $1 arc ids; returns: the arcs that meet one of them other than at common ends
select c.b as id from arc_conflict c where c.a = any ($1::bigint[])
union
select c.a from arc_conflict c where c.b = any ($1::bigint[])
