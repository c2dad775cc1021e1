-- params: $1 SHA-256 of an access token in hexadecimal; returns: its grant, account, org and role now, or no row
select g.id as grant_id, g.client_name, g.scope as grant_scope,
       r.payload->>'scope' as token_scope, r.payload->>'aud' as audience,
       extract(epoch from r.expires_at)::double precision as expires,
       a.id as account_id, a.email, a.name, a.operator,
       o.id as org_id, o.slug, o.plan, m.role,
       g.last_used_at is null or g.last_used_at < now() - interval '1 minute' as touch
from oauth_record r
join oauth_grant g on g.id = r.grant_id and g.revoked_at is null
join account a on a.id = g.account
join org o on o.id = g.org
join membership m on m.org = g.org and m.account = g.account
where r.model = 'AccessToken' and r.id_hash = decode($1, 'hex') and r.expires_at > now() and r.consumed_at is null
