-- params: nothing; returns: how much was dropped of what ended: links, sessions, device codes (kept a day), counts of attempts
with links as (delete from sign_in_link where expires_at < now() returning 1),
sessions as (
  delete from session where last_seen_at < now() - interval '30 days' or created_at < now() - interval '90 days'
  returning 1),
codes as (delete from device_code where expires_at < now() - interval '1 day' returning 1),
attempts as (delete from attempt where ends_at < now() returning 1)
select (select count(*) from links) + (select count(*) from sessions) + (select count(*) from codes)
     + (select count(*) from attempts) as dropped
