-- params: $1 org, $2 plan; returns: the org
update org set plan = $2 where id = $1 returning id, slug, name, plan, personal_of
