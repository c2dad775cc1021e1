-- params: $1 org, $2 id or slug of a team; returns: the team, its row locked, or no row
select id, slug, name from team where org = $1 and (id = $2 or slug = $2) for no key update
