-- params: arrays of arc id, class, main, reach (null: stays) and the west, south, east, north of that; returns: nothing
update arc
set class = t.class, main = t.main, reach = coalesce(t.reach, arc.reach),
    reach_box = case when t.reach is null then arc.reach_box else box(point(east, north), point(west, south)) end
from unnest($1::bigint[], $2::integer[], $3::boolean[], $4::bytea[], $5::float8[], $6::float8[], $7::float8[], $8::float8[])
     as t (id, class, main, reach, west, south, east, north)
where arc.id = t.id
