-- takes: $1 SHA-256 of a user code in hexadecimal; gives: what asks with a code that nobody decided on yet, or no row
select client_name, address, created_at from device_code
where user_hash = decode($1, 'hex') and approved is null and expires_at > now()
