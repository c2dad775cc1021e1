-- name: oauth_bound_network
-- params: $1 model, $2 SHA-256 of a network in hexadecimal, $3 how many records it may have
-- returns: nothing; deletes the oldest beyond that number
delete from oauth_record
where model = $1 and id_hash in (
  select id_hash from oauth_record
  where model = $1 and network = decode($2, 'hex') and expires_at is not null
  order by expires_at desc, id_hash offset $3)

-- name: oauth_bound_total
-- params: $1 model, $2 how many records all networks together may have, $3 how many to keep when there are more
-- returns: nothing; deletes the oldest of the networks with the most records first
delete from oauth_record
where model = $1 and id_hash in (
  select id_hash from (
    select id_hash, expires_at, row_number() over (partition by network order by expires_at desc, id_hash) as place
    from oauth_record
    where model = $1 and network is not null and expires_at is not null
      and (select count(*) from oauth_record
           where model = $1 and network is not null and expires_at is not null) > $2) ranked
  order by place desc, expires_at, id_hash
  limit greatest(0, (select count(*) from oauth_record
                     where model = $1 and network is not null and expires_at is not null) - $3))

-- name: oauth_caller
-- params: $1 SHA-256 of an access token in hexadecimal
-- returns: its grant, account, org and current role, or no row
-- not null: expires, touch
select g.id as grant_id, g.client_name, g.scope as grant_scope,
       r.payload->>'scope' as token_scope, r.payload->>'aud' as audience,
       extract(epoch from r.expires_at)::double precision as expires,
       a.id as account_id, a.email, a.name, a.operator,
       o.id as org_id, o.slug, o.plan, m.role,
       g.last_used_at is null or g.last_used_at < now() - interval '1 minute' as touch
from oauth_record r
join oauth_grant g on g.id = r.grant_id and g.revoked_at is null
join account a on a.id = g.account
join org o on o.id = g.org
join membership m on m.org = g.org and m.account = g.account
where r.model = 'AccessToken' and r.id_hash = decode($1, 'hex') and r.expires_at > now() and r.consumed_at is null

-- name: oauth_consume
-- params: $1 model, $2 SHA-256 of the id in hexadecimal
-- returns: the row if it had not been consumed
update oauth_record set consumed_at = now()
where model = $1 and id_hash = decode($2, 'hex') and consumed_at is null
returning model

-- name: oauth_drop
-- params: $1 model, $2 SHA-256 of the id in hexadecimal
-- returns: nothing
delete from oauth_record where model = $1 and id_hash = decode($2, 'hex')

-- name: oauth_drop_grant
-- params: $1 grants
-- returns: nothing
delete from oauth_record where grant_id = any($1::text[])

-- name: oauth_get
-- params: $1 model, $2 SHA-256 of the id in hexadecimal
-- returns: payload and when it was consumed (seconds since the epoch), or no row
-- types: payload { [x: string]: unknown }
select payload, extract(epoch from consumed_at)::double precision as consumed
from oauth_record
where model = $1 and id_hash = decode($2, 'hex') and (expires_at is null or expires_at > now())

-- name: oauth_grants
-- params: $1 account, $2 org
-- returns: the account's grants in the org that are not revoked, newest first
select id, client_id, client_name, scope, created_at, last_used_at
from oauth_grant
where account = $1 and org = $2 and revoked_at is null
order by created_at desc, id desc

-- name: oauth_keep_client
-- params: $1 SHA-256 of the client id in hexadecimal
-- returns: nothing. Clients with a grant do not expire
update oauth_record set expires_at = null where model = 'Client' and id_hash = decode($1, 'hex')

-- name: oauth_put
-- params: $1 model, $2 SHA-256 of the id in hexadecimal, $3 payload as JSON, $4 grant or null, $5 seconds until it
--   expires or null, $6 SHA-256 of the network in hexadecimal or null
-- returns: nothing
insert into oauth_record (model, id_hash, payload, grant_id, expires_at, network)
values ($1, decode($2, 'hex'), $3::text::jsonb, $4, now() + $5::double precision * interval '1 second', decode($6, 'hex'))
on conflict (model, id_hash) do update
set payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at

-- name: oauth_put_grant
-- params: $1 grant, $2 account, $3 org, $4 client id, $5 client name, $6 scope
-- returns: the grant, if the account is in the org
insert into oauth_grant (id, account, org, client_id, client_name, scope)
select $1::text, m.account, m.org, $4::text, $5::text, $6::text
from membership m where m.account = $2 and m.org = $3
for key share
returning id

-- name: oauth_revoke_grants
-- params: $1 grant or null for all, $2 account or null for any, $3 org or null for any
-- returns: the grants that were revoked
update oauth_grant set revoked_at = now()
where revoked_at is null
  and ($1::text is null or id = $1) and ($2::text is null or account = $2) and ($3::text is null or org = $3)
  and ($1::text is not null or $2::text is not null)
returning id, account, org, client_name, scope

-- name: oauth_sweep
-- params: nothing
-- returns: how many expired records were deleted
-- not null: records
with dropped as (delete from oauth_record where expires_at < now() - case when model = 'Interaction' then interval '0' else interval '1 day' end returning 1)
select count(*) as records from dropped

-- name: oauth_touch_grant
-- params: $1 grant
-- returns: nothing
update oauth_grant set last_used_at = now() where id = $1
