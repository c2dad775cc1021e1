-- name: keys_active
-- params: $1 key, $2 account, $3 org
-- returns: a row when it is an active key of theirs
select id from api_key where id = $1 and account = $2 and org = $3 and revoked_at is null

-- name: keys_by_hash
-- params: $1 SHA-256 of a key in hexadecimal
-- returns: the active key with its account, org and current role, or no row
-- not null: operator, touch
-- prepared: planned once per session, because planning takes longer than running
select k.id as key_id, k.name as key_name, k.operator and a.operator as operator,
       a.id as account_id, a.email, a.name,
       o.id as org_id, o.slug, o.plan, m.role,
       k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as touch
from api_key k
join account a on a.id = k.account
join org o on o.id = k.org
join membership m on m.org = k.org and m.account = k.account
where k.hash = decode($1, 'hex') and k.revoked_at is null

-- name: keys_count
-- params: $1 account
-- returns: one row, how many active keys it has
-- not null: keys
select count(*)::integer as keys from api_key where account = $1 and revoked_at is null

-- name: keys_exist
-- params: nothing
-- returns: a row if any key was ever created
select id from api_key limit 1

-- name: keys_holder
-- params: $1 key, $2 org, $3 account or null for any
-- returns: the account that holds it, or no row
select account from api_key where id = $1 and org = $2 and ($3::text is null or account = $3)

-- name: keys_list
-- params: $1 org, $2 account or null for all of the org's, $3 whether to include revoked keys, $4 limit, $5 offset
-- returns: a page of keys with their creators, newest first, each with the total
select k.id, k.name, k.prefix, k.created_at, k.last_used_at, k.revoked_at, k.created_by_key, a.id as account, a.email,
       a.name as account_name, count(*) over ()::integer as total
from api_key k
join account a on a.id = k.account
where k.org = $1 and ($2::text is null or k.account = $2) and ($3::boolean or k.revoked_at is null)
order by k.created_at desc, k.id desc
limit $4 offset $5

-- name: keys_made_by_key
-- params: $1 key
-- returns: a row when it was created by another key
select id from api_key where id = $1 and created_by_key is not null

-- name: keys_put
-- params: $1 id, $2 account, $3 org, $4 name, $5 prefix, $6 SHA-256 in hexadecimal, $7 operator, $8 the key that
--   creates it or null
-- returns: when it was created
insert into api_key (id, account, org, name, prefix, hash, operator, created_by_key)
values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7::boolean, $8)
returning created_at

-- name: keys_revoke
-- params: $1 org or null for any, $2 account or null for any
-- returns: the keys that were revoked
update api_key set revoked_at = now()
where revoked_at is null
  and ($1::text is null or org = $1) and ($2::text is null or account = $2)
  and ($1::text is not null or $2::text is not null)
returning id, org, account, name, prefix

-- name: keys_revoke_one
-- params: $1 key, $2 its org, $3 whether to revoke the keys it created as well, recursively
-- returns: the keys that were revoked
with recursive tree as (
  select id from api_key where id = $1 and org = $2
  union
  select k.id from api_key k join tree t on k.created_by_key = t.id where $3::boolean and k.org = $2
)
update api_key k set revoked_at = now()
from tree t where k.id = t.id and k.revoked_at is null
returning k.id, k.org, k.account, k.name, k.prefix

-- name: keys_touch
-- params: $1 key id
-- returns: nothing; records its use at most once a minute
update api_key set last_used_at = now()
where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')
