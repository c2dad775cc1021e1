-- params: $1 model, $2 SHA-256 of a network in hexadecimal, $3 how many it may have stored; returns: nothing; the oldest beyond that are dropped
delete from oauth_record
where model = $1 and id_hash in (
  select id_hash from oauth_record
  where model = $1 and network = decode($2, 'hex') and expires_at is not null
  order by expires_at desc, id_hash offset $3)
