-- takes: $1 account; gives: nothing; its keys, memberships, sessions and grants go with it
delete from account where id = $1
