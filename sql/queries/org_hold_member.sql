-- params: $1 org, $2 account; returns: the member's role, or no row; the membership stays until the end of the transaction
select role from membership where org = $1 and account = $2 for key share
