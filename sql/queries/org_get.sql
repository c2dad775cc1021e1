-- takes: $1 org; gives: it, or no row
select id, slug, name, plan, personal_of from org where id = $1
