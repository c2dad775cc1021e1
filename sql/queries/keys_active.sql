-- params: $1 key, $2 account, $3 org; returns: a row when it is an active key of theirs
select id from api_key where id = $1 and account = $2 and org = $3 and revoked_at is null
