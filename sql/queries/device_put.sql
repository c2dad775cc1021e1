-- params: $1 SHA-256 of the device code in hexadecimal, $2 that of the user code, $3 what asks, $4 its address, $5 seconds it is good for; returns: a row, or none when the user code is taken
insert into device_code (device_hash, user_hash, client_name, address, expires_at)
values (decode($1, 'hex'), decode($2, 'hex'), $3, $4, now() + make_interval(secs => $5))
on conflict (user_hash) do nothing
returning interval_s
