-- params: $1 org; returns: nothing; invites that have been closed or expired for a month are forgotten, with the addresses in them
delete from invite where org = $1 and least(accepted_at, revoked_at, expires_at) < now() - interval '30 days'
