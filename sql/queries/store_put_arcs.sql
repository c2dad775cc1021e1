-- params: arrays of hash, coords, weights, ends, exact, area, turn, west, south, east, north, class, main, reach and the west, south, east, north of that, then $19 the import run; returns: the id of each
insert into arc (hash, coords, weights, ends, exact, area, turn, box, class, main, reach, reach_box, revision)
select hash, coords, weights, ends, exact, area, turn, box(point(east, north), point(west, south)),
       class, main, reach, box(point(reach_east, reach_north), point(reach_west, reach_south)), $19::bigint
from unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[], $5::integer[], $6::float8[], $7::float8[],
            $8::float8[], $9::float8[], $10::float8[], $11::float8[], $12::integer[], $13::boolean[], $14::bytea[],
            $15::float8[], $16::float8[], $17::float8[], $18::float8[])
     as a (hash, coords, weights, ends, exact, area, turn, west, south, east, north, class, main, reach,
           reach_west, reach_south, reach_east, reach_north)
returning id, hash
