-- params: $1 SHA-256 of a key in hexadecimal; returns: the active key with its account, org and role now, or no row
select k.id as key_id, k.name as key_name, k.operator and a.operator as operator,
       a.id as account_id, a.email, a.name,
       o.id as org_id, o.slug, o.plan, m.role,
       k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as touch
from api_key k
join account a on a.id = k.account
join org o on o.id = k.org
join membership m on m.org = k.org and m.account = k.account
where k.hash = decode($1, 'hex') and k.revoked_at is null
