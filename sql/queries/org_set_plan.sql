-- takes: $1 org, $2 plan; gives: the org
update org set plan = $2 where id = $1 returning id, slug, name, plan, personal_of
