-- params: $1 key, $2 who asks, $3 seconds that the claim holds, $4 whether an answer that still holds is not enough; returns: whether it is the caller's to ask now, and the last answer or failure
with taken as (
  insert into upstream_fetch as f (key, lease, leased_until)
  values ($1, $2, now() + make_interval(secs => $3))
  on conflict (key) do update set lease = excluded.lease, leased_until = excluded.leased_until, server = null, failure = null
  where (f.leased_until is null or f.leased_until <= now())
    and ($4::boolean or f.holds_until is null or f.holds_until <= now())
  returning f.key
)
select exists (select from taken) as mine, f.outcome, f.ids, f.failure, coalesce(f.holds_until > now(), false) as holds
from (select 1) as one
left join upstream_fetch f on f.key = $1
