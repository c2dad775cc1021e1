-- params: $1 session; returns: nothing; notes that it is in use, at most once an hour
update session set last_seen_at = now() where id = $1 and last_seen_at < now() - interval '1 hour'
