-- params: $1 org; returns: how many members and owners it has
select count(*)::integer as members, count(*) filter (where role = 'owner')::integer as owners
from membership where org = $1
