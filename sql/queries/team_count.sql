-- params: $1 org; returns: how many teams it has
select count(*)::integer as teams from team where org = $1
