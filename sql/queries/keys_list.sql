-- params: $1 org, $2 account or null for all of the org's, $3 whether to give revoked keys too, $4 limit, $5 offset; returns: a page of keys with who made them, newest first, each with the number of all
select k.id, k.name, k.prefix, k.created_at, k.last_used_at, k.revoked_at, k.created_by_key, a.id as account, a.email,
       a.name as account_name, count(*) over ()::integer as total
from api_key k
join account a on a.id = k.account
where k.org = $1 and ($2::text is null or k.account = $2) and ($3::boolean or k.revoked_at is null)
order by k.created_at desc, k.id desc
limit $4 offset $5
