-- takes: $1 plan; gives: one row when an org can be on it
select id from plan where id = $1 and id <> 'anonymous'
