-- params: $1 org, $2 email; returns: open invites of the org, those of them to the email, and how many were made this day (UTC) with the seconds left of it
select count(*) filter (where open)::integer as open,
       count(*) filter (where open and email = $2)::integer as same,
       count(*) filter (where created_at >= date_trunc('day', now(), 'UTC'))::integer as today,
       ceil(extract(epoch from date_trunc('day', now(), 'UTC') + interval '1 day' - now()))::integer as left_s
from (
  select email, created_at, accepted_at is null and revoked_at is null and expires_at > now() as open
  from invite where org = $1
) i
