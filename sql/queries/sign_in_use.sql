-- takes: $1 SHA-256 of a token in hexadecimal, $2 that of a browser's cookie; gives: the email and path of the open link, which is used from now on; no row
update sign_in_link set used_at = now()
where token_hash = decode($1, 'hex') and browser_hash = decode($2, 'hex') and used_at is null and expires_at > now()
returning email, next
