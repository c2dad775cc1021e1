-- params: $1 invite; returns: it, now accepted, with the present role of who made it, or no row when it was not open
update invite i set accepted_at = now()
where i.id = $1 and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
returning i.id, i.email, i.role, (select m.role from membership m where m.org = i.org and m.account = i.invited_by) as inviter_role
