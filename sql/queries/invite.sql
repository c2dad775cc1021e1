-- name: invite_accept
-- params: $1 invite
-- returns: the invite, now accepted, with the inviter's current role, or no row when it was not open
-- types: inviter_role 'owner' | 'admin' | 'member' | 'viewer'
update invite i set accepted_at = now()
where i.id = $1 and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
returning i.id, i.email, i.role, (select m.role from membership m where m.org = i.org and m.account = i.invited_by) as inviter_role

-- name: invite_by_token
-- params: $1 SHA-256 of a token in hexadecimal, $2 account, $3 invite, in place of a token
-- returns: the org of an invite that names the account's email, or no row
select i.id, i.org
from invite i
join account a on a.email = i.email
where i.id = coalesce((select t.invite from mailed_token t where t.hash = decode($1, 'hex')), $3) and a.id = $2

-- name: invite_counts
-- params: $1 org, $2 email
-- returns: the number of open invites of the org, of those to the email, and of all created today (UTC), with the
--   seconds left of the day
-- not null: open, same, today, left_s
select count(*) filter (where open)::integer as open,
       count(*) filter (where open and email = $2)::integer as same,
       count(*) filter (where created_at >= date_trunc('day', now(), 'UTC'))::integer as today,
       ceil(extract(epoch from date_trunc('day', now(), 'UTC') + interval '1 day' - now()))::integer as left_s
from (
  select email, created_at, accepted_at is null and revoked_at is null and expires_at > now() as open
  from invite where org = $1
) i

-- name: invite_list
-- params: $1 org
-- returns: its open invites, newest first
-- not null: id, email, role, created_at, expires_at, inviter_email
select i.id, i.email, i.role, i.created_at, i.expires_at, a.id as inviter, a.email as inviter_email, a.name as inviter_name
from invite i
left join account a on a.id = i.invited_by
where i.org = $1 and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
order by i.created_at desc, i.id desc

-- name: invite_look
-- params: $1 SHA-256 of a token in hexadecimal, $2 account, $3 invite, in place of a token
-- returns: the details of an open invite to the account's email, or no row
select o.name, o.slug, i.role, inviter.email as invited_by
from invite i
join account a on a.email = i.email
join org o on o.id = i.org
join account inviter on inviter.id = i.invited_by
where i.id = coalesce((select t.invite from mailed_token t where t.hash = decode($1, 'hex')), $3) and a.id = $2
  and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()

-- name: invite_mail
-- params: $1 SHA-256 of a new token in hexadecimal, $2 invite
-- returns: role and inviter of the invite that the token can accept from now on, with the org's slug and whether it is
--   personal, or no row when it is not open
-- not null: personal
with open as (
  select i.id, i.role, o.slug, o.personal_of is not null as personal, a.email as inviter
  from invite i join org o on o.id = i.org join account a on a.id = i.invited_by
  where i.id = $2 and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()),
made as (insert into mailed_token (hash, invite) select decode($1, 'hex'), id from open)
select role, slug, personal, inviter from open

-- name: invite_member_by_email
-- params: $1 org, $2 email
-- returns: the member with that email, or no row
select m.account from membership m join account a on a.id = m.account where m.org = $1 and a.email = $2

-- name: invite_named
-- params: $1 SHA-256 of a token in hexadecimal, $2 invite, in place of a token
-- returns: role and inviter of an open invite, with the org's slug and whether it is personal, or no row
-- not null: personal
select i.role, o.slug, o.personal_of is not null as personal, a.email as inviter
from invite i
join org o on o.id = i.org
join account a on a.id = i.invited_by
where i.id = coalesce((select t.invite from mailed_token t where t.hash = decode($1, 'hex')), $2)
  and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()

-- name: invite_put
-- params: $1 new id, $2 org, $3 email, $4 role, $5 account that invites, $6 seconds it is valid
-- returns: when it was created and when it expires
insert into invite (id, org, email, role, invited_by, expires_at)
values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
returning created_at, expires_at

-- name: invite_revoke
-- params: $1 org, $2 invite
-- returns: the invite, or no row when the org has no such open invite
update invite set revoked_at = now()
where org = $1 and id = $2 and accepted_at is null and revoked_at is null and expires_at > now()
returning id, email, role

-- name: invite_sweep
-- params: $1 org
-- returns: nothing; deletes invites, with their email addresses, that have been closed or expired for 30 days
delete from invite where org = $1 and least(accepted_at, revoked_at, expires_at) < now() - interval '30 days'
