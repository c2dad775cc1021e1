-- params: $1 account; returns: its personal org or no row
select id, slug, name, plan, personal_of from org where personal_of = $1
