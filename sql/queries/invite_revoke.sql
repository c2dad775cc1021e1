-- params: $1 org, $2 invite; returns: it, or no row when it is not open there
update invite set revoked_at = now()
where org = $1 and id = $2 and accepted_at is null and revoked_at is null and expires_at > now()
returning id, email, role
