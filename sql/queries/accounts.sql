-- name: accounts_by_email
-- params: $1 email in lower case
-- returns: the account, or no row
select id, email, name from account where email = $1

-- name: accounts_drop
-- params: $1 account
-- returns: nothing; also deletes its keys, memberships, sessions and grants. The free units it used stay counted until
--   the end of the month
with pool as (
  insert into pool_of_the_gone (pool)
  select unit_pool(email) from account where id = $1
  on conflict (pool) do update set gone_at = now()
)
delete from account where id = $1

-- name: accounts_drop_operator
-- params: $1 email in lower case
-- returns: the account, or no row when it was not an operator
update account set operator = false where email = $1 and operator returning id, email

-- name: accounts_lock
-- params: $1 account
-- returns: its id and email, the row locked to serialize the counting of its keys
select id, email from account where id = $1 for update

-- name: accounts_lock_orgs
-- params: $1 account
-- returns: the ids of the orgs it is in, their rows locked in id order to avoid deadlocks
select o.id from org o
where o.id in (select m.org from membership m where m.account = $1)
order by o.id
for no key update

-- name: accounts_orgs
-- params: $1 account
-- returns: the orgs it is in, with their numbers of members and owners
-- not null: personal, members, owners
select o.id, o.slug, o.name, o.personal_of = $1 as personal, m.role,
       (select count(*) from membership x where x.org = o.id)::integer as members,
       (select count(*) from membership x where x.org = o.id and x.role = 'owner')::integer as owners
from membership m
join org o on o.id = m.org
where m.account = $1
order by o.id

-- name: accounts_personal_org
-- params: $1 account
-- returns: its personal org, or no row
select id, slug, name, plan, personal_of from org where personal_of = $1

-- name: accounts_profile
-- params: $1 account, $2 org
-- returns: one row about both and the account's role in the org
select a.id, a.email, a.name, a.created_at, o.id as org_id, o.slug, o.name as org_name, o.plan, m.role
from account a
join membership m on m.account = a.id
join org o on o.id = m.org
where a.id = $1 and o.id = $2

-- name: accounts_put
-- params: $1 new id, $2 email in lower case, $3 whether to make it an operator
-- returns: the account, its row locked
insert into account as a (id, email, operator) values ($1, $2, $3::boolean)
on conflict (email) do update set operator = a.operator or excluded.operator
returning id, email, name

-- name: accounts_set_email
-- params: $1 email of an account, $2 its new email in lower case
-- returns: the account, or no row when $1 has no account or $2 already has one
with changed as (
  update account set email = $2
  where email = $1 and not exists (select 1 from account other where other.email = $2)
  returning id, email),
renamed as (
  update org set name = $2 where name = $1 and personal_of = (select id from changed))
select id, email from changed
