-- params: nothing; returns: nothing. What no longer holds and is no one's, and days that are over
with days as (delete from upstream_day where day < (now() at time zone 'utc')::date - 31)
delete from upstream_fetch
where (leased_until is null or leased_until <= now()) and coalesce(holds_until, 'epoch') <= now()
  and (outcome is null or outcome = 'missing' or key !~ '^[rw][0-9]+$')
