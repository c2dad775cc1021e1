-- takes: $1 team; gives: nothing
delete from team where id = $1
