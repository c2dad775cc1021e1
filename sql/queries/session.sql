-- name: session_by_hash
-- params: $1 SHA-256 of a cookie in hexadecimal
-- returns: the live session with its account, org and the role there (null without an org), or no row
-- not null: id, account_id, email, operator, slug, plan, role, touch, expires
select s.id, a.id as account_id, a.email, a.name, a.operator,
       o.id as org_id, o.slug, o.plan, m.role,
       s.last_seen_at < now() - interval '1 hour' as touch,
       extract(epoch from least(s.last_seen_at + interval '30 days', s.created_at + interval '90 days'))::double precision as expires
from session s
join account a on a.id = s.account
left join membership m on m.org = s.org and m.account = s.account
left join org o on o.id = m.org
where s.hash = decode($1, 'hex')
  and s.last_seen_at > now() - interval '30 days' and s.created_at > now() - interval '90 days'

-- name: session_end
-- params: $1 session
-- returns: nothing
delete from session where id = $1

-- name: session_end_all
-- params: $1 account
-- returns: nothing
delete from session where account = $1

-- name: session_leave
-- params: $1 account, $2 org
-- returns: nothing; moves its sessions in the org to its personal org, else to the one it joined first, else to none
update session s set org = (
  select m.org from membership m join org o on o.id = m.org
  where m.account = $1 and m.org <> $2
  order by o.personal_of is distinct from $1, m.created_at, m.org
  limit 1)
where s.account = $1 and s.org = $2

-- name: session_list
-- params: $1 account
-- returns: its live sessions, the newest first
select id, created_at, last_seen_at from session
where account = $1 and last_seen_at > now() - interval '30 days' and created_at > now() - interval '90 days'
order by id desc

-- name: session_put
-- params: $1 new id, $2 SHA-256 of the cookie in hexadecimal, $3 account, $4 org or null
-- returns: nothing
insert into session (id, hash, account, org) values ($1, decode($2, 'hex'), $3, $4)

-- name: session_switch
-- params: $1 session, $2 org
-- returns: a row when the session's account is in that org
update session s set org = m.org
from membership m
where s.id = $1 and m.org = $2 and m.account = s.account
returning s.id

-- name: session_touch
-- params: $1 session
-- returns: nothing; records its use at most once an hour
update session set last_seen_at = now() where id = $1 and last_seen_at < now() - interval '1 hour'
