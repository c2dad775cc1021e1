-- params: $1 slug; returns: the org or no row
select id, slug, name, plan, personal_of from org where slug = $1
