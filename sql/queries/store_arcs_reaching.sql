-- takes: $1 keys of cells; gives: the arcs whose tiers depend on what lies there, with the key. One look-up a key: && with a long array compares every element with every other
select a.id, k.key
from unnest($1::bigint[]) as k (key)
join arc a on a.reach @> array[k.key]
