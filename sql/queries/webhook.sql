-- name: webhook_claim
-- params: $1 how many, $2 seconds that the claim holds
-- returns: calls that are due, which no one else is given before the claim has ended
update webhook set attempts = attempts + 1, next_at = now() + make_interval(secs => $2)
where id in (
  select id from webhook where next_at <= now() and expires_at > now()
  order by next_at, id limit $1 for update skip locked)
returning id, org, url, body, attempts

-- name: webhook_drop
-- params: $1 call
-- returns: nothing; it is done with, delivered or given up
delete from webhook where id = $1

-- name: webhook_put
-- params: $1 new id, $2 org, $3 url, $4 body, $5 seconds after which it is not made any more
-- returns: nothing
insert into webhook (id, org, url, body, expires_at) values ($1, $2, $3, $4, now() + make_interval(secs => $5))

-- name: webhook_retry
-- params: $1 call, $2 seconds until it is tried again
-- returns: nothing
update webhook set next_at = now() + make_interval(secs => $2) where id = $1

-- name: webhook_sweep
-- params: nothing
-- returns: nothing; calls whose time is over are dropped
delete from webhook where expires_at <= now()
