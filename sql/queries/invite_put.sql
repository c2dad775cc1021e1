-- params: $1 new id, $2 org, $3 email, $4 role, $5 account that invites, $6 seconds it is good for; returns: when it was made and when it expires
insert into invite (id, org, email, role, invited_by, expires_at)
values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
returning created_at, expires_at
