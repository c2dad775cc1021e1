-- name: attempt_known
-- params: $1 SHA-256 of who tries what in hexadecimal
-- returns: a row when its window runs
select count from attempt where subject = decode($1, 'hex') and ends_at > now()
