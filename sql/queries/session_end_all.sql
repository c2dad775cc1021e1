-- takes: $1 account; gives: nothing
delete from session where account = $1
