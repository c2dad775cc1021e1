-- name: webhook_claim
-- params: $1 how many, $2 seconds that the claim lasts
-- returns: due calls, leased to the caller until the claim ends
update webhook set attempts = attempts + 1, next_at = now() + make_interval(secs => $2)
where id in (
  select id from webhook where next_at <= now() and expires_at > now()
  order by next_at, id limit $1 for update skip locked)
returning id, org, url, body, attempts

-- name: webhook_drop
-- params: $1 call
-- returns: nothing; the call was delivered or given up
delete from webhook where id = $1

-- name: webhook_put
-- params: $1 new id, $2 org, $3 url, $4 body, $5 seconds after which it is no longer made
-- returns: nothing
insert into webhook (id, org, url, body, expires_at) values ($1, $2, $3, $4, now() + make_interval(secs => $5))

-- name: webhook_retry
-- params: $1 call, $2 seconds until the next attempt
-- returns: nothing
update webhook set next_at = now() + make_interval(secs => $2) where id = $1

-- name: webhook_sweep
-- params: nothing
-- returns: nothing; deletes expired calls
delete from webhook where expires_at <= now()
