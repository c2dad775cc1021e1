-- name: webhook_claim
-- params: $1 how many, $2 seconds that the claim lasts, $3 calls of one organization under way at once
-- returns: due calls, leased to the caller until the claim ends: first those of the organizations with the fewest calls
--   under way, first attempts before repeated ones
with chosen as materialized (
  select w.id
  from (
    select d.id, row_number() over (partition by d.org order by d.next_at, d.id)
                 + (select count(*) from webhook b where b.org = d.org and b.lease_until > now()) as place
    from webhook d
    where d.next_at <= now() and d.expires_at > now() and d.delivered_at is null) due
  join webhook w on w.id = due.id
  where due.place <= $3::integer and w.next_at <= now()
  order by due.place, w.attempts > 0, w.next_at, w.id
  limit $1 for update of w skip locked)
update webhook u set attempts = u.attempts + 1,
  next_at = now() + make_interval(secs => $2), lease_until = now() + make_interval(secs => $2)
from chosen where u.id = chosen.id
returning u.id, u.org, u.url, u.body, u.attempts

-- name: webhook_delivered
-- params: $1 call
-- returns: nothing
update webhook set delivered_at = now(), next_at = 'infinity', lease_until = null, error = null where id = $1

-- name: webhook_of_jobs
-- params: $1 jobs
-- returns: what became of the calls about them
select job, attempts, delivered_at, error, expires_at <= now() as over,
       case when delivered_at is null and expires_at > now() then next_at end as next_at
from webhook where job = any($1::text[])

-- name: webhook_put
-- params: $1 new id, $2 org, $3 url, $4 body, $5 seconds after which it is no longer made, $6 job that it is about
-- returns: nothing
insert into webhook (id, org, url, body, expires_at, job)
values ($1, $2, $3, $4, now() + make_interval(secs => $5), $6)

-- name: webhook_retry
-- params: $1 call, $2 seconds until the next attempt, $3 why this one failed
-- returns: nothing
update webhook set next_at = now() + make_interval(secs => $2), lease_until = null, error = $3 where id = $1

-- name: webhook_sweep
-- params: $1 days that the outcome of a call is kept
-- returns: nothing; deletes calls that ended before
delete from webhook where expires_at <= now() - make_interval(days => $1)
