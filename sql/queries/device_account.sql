-- takes: $1 account; gives: its email and name
select email, name from account where id = $1
