-- params: $1 account; returns: its email and name
select email, name from account where id = $1
