-- takes: $1 slug; gives: the org or no row
select id, slug, plan from org where slug = $1
