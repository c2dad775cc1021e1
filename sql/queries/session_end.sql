-- takes: $1 session; gives: nothing
delete from session where id = $1
