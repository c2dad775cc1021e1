-- params: $1 email in lower case; returns: the account with it, or no row
select id, email, name from account where email = $1
