-- params: $1 account, $2 id or slug of an org; returns: its id, or no row when the account is not in it
select o.id from org o join membership m on m.org = o.id where m.account = $1 and (o.id = $2 or o.slug = $2)
