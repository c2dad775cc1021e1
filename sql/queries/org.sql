-- name: org_by_slug
-- params: $1 slug
-- returns: the org or no row
select id, slug, name, plan, personal_of from org where slug = $1

-- name: org_count_members
-- params: $1 org
-- returns: how many members and owners it has
-- not null: owners, members
select count(*)::integer as members, count(*) filter (where role = 'owner')::integer as owners
from membership where org = $1

-- name: org_count_owned
-- params: $1 account
-- returns: how many orgs it owns besides its personal one
-- not null: orgs
select count(*)::integer as orgs
from membership m
join org o on o.id = m.org
where m.account = $1 and m.role = 'owner' and o.personal_of is null

-- name: org_drop
-- params: $1 org
-- returns: nothing; deletes all its data, except its slug and what calls that still run reserved from a pool
with slug as (
  insert into org_slug (slug, org) select slug, id from org where id = $1 on conflict (slug) do nothing),
months as (delete from unit_month where pool = $1),
by_op as (delete from usage_by_op where org = $1)
delete from org where id = $1

-- name: org_drop_member
-- params: $1 org, $2 account
-- returns: nothing; also removes them from its teams
delete from membership where org = $1 and account = $2

-- name: org_find
-- params: $1 account, $2 id or slug of an org
-- returns: its id, or no row when the account is not in it
select o.id from org o join membership m on m.org = o.id where m.account = $1 and (o.id = $2 or o.slug = $2)

-- name: org_get
-- params: $1 org
-- returns: the org, or no row
select id, slug, name, plan, personal_of from org where id = $1

-- name: org_hold
-- params: $1 id or slug
-- returns: the org, locked until the end of the transaction
select id, slug, name, plan, personal_of from org where id = $1 or slug = $1 order by id = $1 desc limit 1 for update

-- name: org_hold_member
-- params: $1 org, $2 account
-- returns: the member's role, or no row; locks the membership until the end of the transaction
select role from membership where org = $1 and account = $2 for key share

-- name: org_list
-- params: $1 account, $2 org or null for all
-- returns: the orgs the account is in, its personal one first, then by name
-- not null: personal
select o.id, o.slug, o.name, o.plan, o.personal_of is not null as personal, m.role, o.created_at
from membership m
join org o on o.id = m.org
where m.account = $1 and ($2::text is null or o.id = $2)
order by o.personal_of is null, o.name, o.id

-- name: org_lock
-- params: $1 org
-- returns: the org, locked to serialize changes of its memberships; other rows may still refer to it
select id, slug, name, plan, personal_of from org where id = $1 for no key update

-- name: org_member
-- params: $1 org, $2 account
-- returns: the member, or no row
select a.id, a.email, a.name, m.role, m.created_at
from membership m
join account a on a.id = m.account
where m.org = $1 and m.account = $2

-- name: org_members
-- params: $1 org, $2 limit, $3 offset
-- returns: a page of members, the longest-standing first, each with the total
-- not null: total
select a.id, a.email, a.name, m.role, m.created_at, count(*) over ()::integer as total
from membership m
join account a on a.id = m.account
where m.org = $1
order by m.created_at, a.id
limit $2 offset $3

-- name: org_plan_exists
-- params: $1 plan
-- returns: a row when an org can be on the plan
select id from plan where id = $1 and id not in ('anonymous', 'anonymous_own')

-- name: org_put
-- params: $1 new id, $2 slug, $3 name, $4 plan, $5 account that creates it, $6 whether it is the account's personal org
-- returns: the new org, or no row when another org has the slug or had it
with own as (insert into org_slug (slug, org) values ($2, $1) on conflict (slug) do nothing returning slug)
insert into org (id, slug, name, plan, personal_of, pool)
select $1::text, own.slug, $3::text, $4::text, case when $6::boolean then a.id end, unit_pool(a.email)
from account a, own where a.id = $5
on conflict (slug) do nothing
returning id, slug, name, plan, personal_of

-- name: org_put_member
-- params: $1 org, $2 account, $3 role
-- returns: the account, or no row when it is already a member; its role does not change
insert into membership (org, account, role) values ($1, $2, $3) on conflict (org, account) do nothing returning account

-- name: org_set_plan
-- params: $1 org, $2 plan
-- returns: the org
update org set plan = $2 where id = $1 returning id, slug, name, plan, personal_of

-- name: org_set_role
-- params: $1 org, $2 account, $3 role
-- returns: nothing
update membership set role = $3 where org = $1 and account = $2

-- name: org_update
-- params: $1 org, $2 name or null, $3 slug or null
-- returns: its id, or no row when another org has the slug or had it
with own as (
  insert into org_slug as s (slug, org) select $3::text, $1::text where $3::text is not null
  on conflict (slug) do update set org = s.org where s.org = $1
  returning slug)
update org set name = coalesce($2, name), slug = coalesce($3, slug)
where id = $1 and ($3 is null or exists (select 1 from own))
  and not exists (select 1 from org other where other.slug = $3 and other.id <> $1)
returning id
