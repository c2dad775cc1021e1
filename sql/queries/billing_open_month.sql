-- params: $1 org; returns: a row when the org is there. Its purse has a row for this month afterwards.
with opened as (
  insert into usage_month (purse, month)
  select purse, date_trunc('month', now() at time zone 'UTC')::date from org_purse where org = $1
  on conflict do nothing
)
select id from org where id = $1
