-- params: $1 session; returns: nothing
delete from session where id = $1
