-- params: $1 account, $2 name or null; returns: the account's name; the given one is taken at the first sign-in only
update account set
  name = case when signed_in_at is null then coalesce($2, name) else name end,
  signed_in_at = coalesce(signed_in_at, now())
where id = $1
returning name
