-- params: $1 account, $2 org; returns: the account's grants in the org that are not revoked, newest first
select id, client_id, client_name, scope, created_at, last_used_at
from oauth_grant
where account = $1 and org = $2 and revoked_at is null
order by created_at desc, id desc
