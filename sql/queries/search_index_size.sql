-- params: $1 a number; returns: how many names there are, at most so many
select count(*)::integer as names from (select from boundary_name limit $1) as few
