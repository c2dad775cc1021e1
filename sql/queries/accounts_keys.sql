-- takes: $1 account, $2 org; gives: the account's active keys in that org, newest first
select id, name, prefix, created_at, last_used_at
from api_key
where account = $1 and org = $2 and revoked_at is null
order by created_at desc, id desc
