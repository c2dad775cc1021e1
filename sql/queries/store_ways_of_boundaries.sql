-- takes: $1 boundary ids; gives: those that are stored, and the ways of their borders
select id, ways from boundary where id = any ($1::text[])
