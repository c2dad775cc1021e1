-- takes: $1 org, $2 account or null for all of the org's; gives: the active keys with who made them, newest first
select k.id, k.name, k.prefix, k.created_at, k.last_used_at, a.id as account, a.email, a.name as account_name
from api_key k
join account a on a.id = k.account
where k.org = $1 and ($2::text is null or k.account = $2) and k.revoked_at is null
order by k.created_at desc, k.id desc
