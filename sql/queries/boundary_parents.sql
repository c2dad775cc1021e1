-- takes: $1 canonical ids; gives: what a list of parents says of each
select b.id, b.name, b.kind, b.admin_level from boundary b where b.id = any ($1::text[])
