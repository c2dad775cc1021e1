-- params: $1 org or null for any, $2 account or null for any; returns: the keys that were revoked
update api_key set revoked_at = now()
where revoked_at is null
  and ($1::text is null or org = $1) and ($2::text is null or account = $2)
  and ($1::text is not null or $2::text is not null)
returning id, org, account, name, prefix
