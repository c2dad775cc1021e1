-- params: $1 SHA-256 of a token in hexadecimal, $2 that of a browser's cookie; returns: the email and path of the open link, which is used from now on; no row
update sign_in_link l set used_at = now()
from mailed_token t
where t.hash = decode($1, 'hex') and l.id = t.link and l.browser_hash = decode($2, 'hex')
  and l.used_at is null and l.expires_at > now()
returning l.email, l.next
