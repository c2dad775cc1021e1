-- params: $1 account; returns: its live sessions, the newest first
select id, created_at, last_seen_at from session
where account = $1 and last_seen_at > now() - interval '30 days' and created_at > now() - interval '90 days'
order by id desc
