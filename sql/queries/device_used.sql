-- params: $1 SHA-256 of a device code in hexadecimal; returns: nothing
update device_code set used_at = now() where device_hash = decode($1, 'hex')
