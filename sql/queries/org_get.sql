-- params: $1 org; returns: it, or no row
select id, slug, name, plan, personal_of from org where id = $1
