-- params: $1 new id, $2 email in lower case, $3 whether to make it an operator; returns: the account, its row locked
insert into account as a (id, email, operator) values ($1, $2, $3::boolean)
on conflict (email) do update set operator = a.operator or excluded.operator
returning id, email, name
