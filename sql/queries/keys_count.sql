-- params: $1 account; returns: one row, how many active keys it has
select count(*)::integer as keys from api_key where account = $1 and revoked_at is null
