-- params: $1 account; returns: nothing; its keys, memberships, sessions and grants go with it. What it used of its free units is remembered until the month is over.
with pool as (
  insert into pool_of_the_gone (pool)
  select unit_pool(email) from account where id = $1
  on conflict (pool) do update set gone_at = now()
)
delete from account where id = $1
