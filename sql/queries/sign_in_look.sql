-- params: $1 SHA-256 of a token in hexadecimal, $2 that of a browser's cookie; returns: the open link of that browser, and whether its person never signed in; no row
select l.email, a.signed_in_at is null as first
from mailed_token t
join sign_in_link l on l.id = t.link
left join account a on a.email = l.email
where t.hash = decode($1, 'hex') and l.browser_hash = decode($2, 'hex')
  and l.used_at is null and l.expires_at > now()
