-- params: $1 model, $2 SHA-256 of the id in hexadecimal; returns: nothing
delete from oauth_record where model = $1 and id_hash = decode($2, 'hex')
