-- params: $1 SHA-256 of a token in hexadecimal, $2 account; returns: the org of an invite that names the account's email, or no row
select i.id, i.org
from mailed_token t
join invite i on i.id = t.invite
join account a on a.email = i.email
where t.hash = decode($1, 'hex') and a.id = $2
