-- params: $1 model, $2 SHA-256 of the id in hexadecimal; returns: the row when it was not consumed before
update oauth_record set consumed_at = now()
where model = $1 and id_hash = decode($2, 'hex') and consumed_at is null
returning model
