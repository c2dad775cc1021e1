-- params: $1 team; returns: nothing
delete from team where id = $1
