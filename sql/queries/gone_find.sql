-- params: $1 canonical ids; returns: what is known of those that are no more
select id, version, reason, gone_at, name, replaced_by from boundary_gone where id = any ($1::text[])
