-- takes: arrays of arc id, class, main, keys of cells to be added to its reach (the text of an array); gives: nothing
update arc
set class = t.class, main = t.main,
    reach = array(select unnest(arc.reach) union select unnest(t.reach::bigint[]))
from unnest($1::bigint[], $2::integer[], $3::boolean[], $4::text[]) as t (id, class, main, reach)
where arc.id = t.id
