-- params: $1 org; returns: its open invites, newest first
select i.id, i.email, i.role, i.created_at, i.expires_at, a.id as inviter, a.email as inviter_email, a.name as inviter_name
from invite i
left join account a on a.id = i.invited_by
where i.org = $1 and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
order by i.created_at desc, i.id desc
