-- params: $1 SHA-256 of a new token in hexadecimal, $2 link; returns: the link, which the token opens from now on, or no row when it is not open
insert into mailed_token (hash, link)
select decode($1, 'hex'), id from sign_in_link where id = $2 and used_at is null and expires_at > now()
returning link
