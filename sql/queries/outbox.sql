-- name: outbox_claim
-- params: $1 how many, $2 seconds that the claim holds
-- returns: mails that are due, which no one else is given before the claim has ended
update outbox set attempts = attempts + 1, next_at = now() + make_interval(secs => $2)
where id in (
  select id from outbox where next_at <= now() and expires_at > now()
  order by next_at, id limit $1 for update skip locked)
returning id, recipient, kind, reference, subject, text, attempts

-- name: outbox_put
-- params: $1 new id, $2 recipient, $3 kind, $4 what it is about or null, $5 subject or null, $6 text or null, $7
--   seconds after which it is not sent any more
-- returns: nothing
insert into outbox (id, recipient, kind, reference, subject, text, expires_at)
values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))

-- name: outbox_retry
-- params: $1 mail, $2 seconds until it is tried again
-- returns: nothing
update outbox set next_at = now() + make_interval(secs => $2) where id = $1

-- name: outbox_sent
-- params: $1 mail
-- returns: nothing; it is done with, sent or given up
delete from outbox where id = $1

-- name: outbox_sweep
-- params: nothing
-- returns: how many mails were dropped because their time was over
with dropped as (delete from outbox where expires_at <= now() returning 1)
select count(*) as dropped from dropped
