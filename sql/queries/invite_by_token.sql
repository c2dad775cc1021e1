-- takes: $1 SHA-256 of a token in hexadecimal, $2 account; gives: the org of an invite that names the account's email, or no row
select i.id, i.org from invite i join account a on a.email = i.email
where i.token_hash = decode($1, 'hex') and a.id = $2
