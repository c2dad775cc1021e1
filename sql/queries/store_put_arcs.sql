-- takes: arrays of hash, coords, weights, ends, exact, area, turn, west, south, east, north, class, main, reach (the text of an array), then $15 the import run; gives: the id of each
insert into arc (hash, coords, weights, ends, exact, area, turn, box, class, main, reach, revision)
select hash, coords, weights, ends, exact, area, turn, box(point(east, north), point(west, south)),
       class, main, reach::bigint[], $15::bigint
from unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[], $5::integer[], $6::float8[], $7::float8[],
            $8::float8[], $9::float8[], $10::float8[], $11::float8[], $12::integer[], $13::boolean[], $14::text[])
     as a (hash, coords, weights, ends, exact, area, turn, west, south, east, north, class, main, reach)
returning id, hash
