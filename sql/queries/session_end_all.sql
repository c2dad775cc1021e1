-- params: $1 account; returns: nothing
delete from session where account = $1
