-- params: $1 email in lower case; returns: the account, or no row when it was not an operator
update account set operator = false where email = $1 and operator returning id, email
