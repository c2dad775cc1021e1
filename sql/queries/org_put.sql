-- takes: $1 new id, $2 slug, $3 name, $4 plan, $5 account it is personal to or null; gives: the new org, or no row when the slug is taken
insert into org (id, slug, name, plan, personal_of) values ($1, $2, $3, $4, $5)
on conflict (slug) do nothing
returning id, slug, name, plan, personal_of
