-- params: $1 boundary ids; returns: those that are stored, and the ways of their borders
select id, ways from boundary where id = any ($1::text[])
