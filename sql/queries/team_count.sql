-- takes: $1 org; gives: how many teams it has
select count(*)::integer as teams from team where org = $1
