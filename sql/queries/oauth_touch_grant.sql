-- params: $1 grant; returns: nothing
update oauth_grant set last_used_at = now() where id = $1
