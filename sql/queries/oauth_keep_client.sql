-- params: $1 SHA-256 of the client id in hexadecimal; returns: nothing. A client that someone trusts does not expire.
update oauth_record set expires_at = null where model = 'Client' and id_hash = decode($1, 'hex')
