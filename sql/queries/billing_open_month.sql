-- takes: $1 org; gives: a row when the org is there. It has a row for this month afterwards.
with opened as (
  insert into usage_month (org, month)
  select id, date_trunc('month', now() at time zone 'UTC')::date from org where id = $1
  on conflict do nothing
)
select id from org where id = $1
