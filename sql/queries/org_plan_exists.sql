-- params: $1 plan; returns: one row when an org can be on it
select id from plan where id = $1 and id not in ('anonymous', 'anonymous_own')
