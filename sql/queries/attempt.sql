-- name: attempt_known
-- params: $1 SHA-256 of the actor and action in hexadecimal
-- returns: a row while its window is open
select count from attempt where subject = decode($1, 'hex') and ends_at > now()
