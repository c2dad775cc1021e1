-- params: $1 grant or null for all, $2 account or null for any, $3 org or null for any; returns: the grants that were revoked
update oauth_grant set revoked_at = now()
where revoked_at is null
  and ($1::text is null or id = $1) and ($2::text is null or account = $2) and ($3::text is null or org = $3)
  and ($1::text is not null or $2::text is not null)
returning id, account, org, client_name, scope
