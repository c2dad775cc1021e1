-- params: $1 org, $2 email; returns: the member with that email, or no row
select m.account from membership m join account a on a.id = m.account where m.org = $1 and a.email = $2
