-- params: $1 SHA-256 of a device code in hexadecimal, $2 seconds to add to its interval; returns: the interval
update device_code set polled_at = now(), interval_s = interval_s + $2
where device_hash = decode($1, 'hex')
returning interval_s
