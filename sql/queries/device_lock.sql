-- params: $1 SHA-256 of a device code in hexadecimal; returns: its state, the row locked; a decision may be fetched for 10 minutes; no row
select client_name, account, org, approved, interval_s, used_at is not null as used,
       coalesce(decided_at + interval '10 minutes', expires_at) <= now() as expired,
       polled_at > now() - make_interval(secs => interval_s - 1) as hasty
from device_code where device_hash = decode($1, 'hex') for update
