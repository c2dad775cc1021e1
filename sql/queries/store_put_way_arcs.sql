-- takes: arrays of way id, position, signed arc id; gives: nothing
insert into way_arc (way_id, position, arc, arc_id)
select way_id, position, arc, abs(arc)
from unnest($1::bigint[], $2::integer[], $3::bigint[]) as w (way_id, position, arc)
