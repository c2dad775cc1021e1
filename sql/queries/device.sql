-- name: device_account
-- params: $1 account
-- returns: its email and name
select email, name from account where id = $1

-- name: device_decide
-- params: $1 SHA-256 of a user code in hexadecimal, $2 account, $3 org (null when declined), $4 whether it is
--   approved
-- returns: the device that asked, or no row when it was already decided or has expired
update device_code set account = $2, org = $3, approved = $4, decided_at = now()
where user_hash = decode($1, 'hex') and approved is null and expires_at > now()
returning client_name, address, created_at

-- name: device_lock
-- params: $1 SHA-256 of a device code in hexadecimal
-- returns: its state, the row locked, or no row; a decision can be fetched for 10 minutes
select client_name, account, org, approved, interval_s, used_at is not null as used,
       coalesce(decided_at + interval '10 minutes', expires_at) <= now() as expired,
       polled_at > now() - make_interval(secs => interval_s - 1) as hasty
from device_code where device_hash = decode($1, 'hex') for update

-- name: device_look
-- params: $1 SHA-256 of a user code in hexadecimal
-- returns: the device that asks with a code not yet decided, or no row
select client_name, address, created_at from device_code
where user_hash = decode($1, 'hex') and approved is null and expires_at > now()

-- name: device_polled
-- params: $1 SHA-256 of a device code in hexadecimal, $2 seconds to add to its interval
-- returns: the interval
update device_code set polled_at = now(), interval_s = interval_s + $2
where device_hash = decode($1, 'hex')
returning interval_s

-- name: device_put
-- params: $1 SHA-256 of the device code in hexadecimal, $2 that of the user code, $3 client name, $4 its address, $5
--   seconds it is valid
-- returns: a row, or none when the user code is taken
insert into device_code (device_hash, user_hash, client_name, address, expires_at)
values (decode($1, 'hex'), decode($2, 'hex'), $3, $4, now() + make_interval(secs => $5))
on conflict (user_hash) do nothing
returning interval_s

-- name: device_used
-- params: $1 SHA-256 of a device code in hexadecimal
-- returns: nothing
update device_code set used_at = now() where device_hash = decode($1, 'hex')
