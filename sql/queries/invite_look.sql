-- params: $1 SHA-256 of a token in hexadecimal, $2 account; returns: what an open invite that names the account's email is to, or no row
select o.name, o.slug, i.role, inviter.email as invited_by
from mailed_token t
join invite i on i.id = t.invite
join account a on a.email = i.email
join org o on o.id = i.org
join account inviter on inviter.id = i.invited_by
where t.hash = decode($1, 'hex') and a.id = $2
  and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
