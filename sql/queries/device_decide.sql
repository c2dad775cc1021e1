-- params: $1 SHA-256 of a user code in hexadecimal, $2 account, $3 org (null when declined), $4 whether it is approved; returns: what asked, or no row when it was decided on before or has expired
update device_code set account = $2, org = $3, approved = $4, decided_at = now()
where user_hash = decode($1, 'hex') and approved is null and expires_at > now()
returning client_name, address, created_at
