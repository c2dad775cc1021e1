-- takes: $1 key id, $2 account, $3 org; gives: its id, or no row when it is not an active key of theirs
update api_key set revoked_at = now()
where id = $1 and account = $2 and org = $3 and revoked_at is null
returning id
