-- params: $1 boundary ids; returns: nothing
delete from boundary where id = any ($1::text[])
