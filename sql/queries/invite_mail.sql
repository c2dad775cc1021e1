-- params: $1 SHA-256 of a new token in hexadecimal, $2 invite; returns: org slug and role of the invite, which the token accepts from now on, or no row when it is not open
with open as (
  select i.id, i.role, o.slug from invite i join org o on o.id = i.org
  where i.id = $2 and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()),
made as (insert into mailed_token (hash, invite) select decode($1, 'hex'), id from open)
select role, slug from open
