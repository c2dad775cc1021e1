-- params: $1 org; returns: it, its row locked, so that its memberships change one after the other; others may go on referring to it
select id, slug, name, plan, personal_of from org where id = $1 for no key update
