-- takes: $1 boundary ids; gives: nothing
delete from boundary where id = any ($1::text[])
