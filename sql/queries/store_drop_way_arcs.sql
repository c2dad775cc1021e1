-- takes: $1 way ids; gives: nothing
delete from way_arc where way_id = any ($1::bigint[])
