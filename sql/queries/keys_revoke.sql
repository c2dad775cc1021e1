-- takes: $1 key id or null for all, $2 org or null for any, $3 account or null for any; gives: the keys that were revoked
update api_key set revoked_at = now()
where revoked_at is null
  and ($1::text is null or id = $1) and ($2::text is null or org = $2) and ($3::text is null or account = $3)
  and ($2::text is not null or $3::text is not null)
returning id, org, account, name, prefix
