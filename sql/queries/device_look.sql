-- params: $1 SHA-256 of a user code in hexadecimal; returns: what asks with a code that no one decided on yet, or no row
select client_name, address, created_at from device_code
where user_hash = decode($1, 'hex') and approved is null and expires_at > now()
