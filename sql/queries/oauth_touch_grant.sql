-- takes: $1 grant; gives: nothing
update oauth_grant set last_used_at = now() where id = $1
