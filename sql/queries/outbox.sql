-- name: outbox_claim
-- params: $1 how many, $2 seconds that the claim lasts
-- returns: due mails, leased to the caller until the claim ends. As an operand of IN the list could be made again for
--   each mail, and more mails be claimed than the limit
with due as materialized (
  select id from outbox where next_at <= now() and expires_at > now()
  order by next_at, id limit $1 for update skip locked)
update outbox o set attempts = o.attempts + 1, next_at = now() + make_interval(secs => $2)
from due where o.id = due.id
returning o.id, o.recipient, o.kind, o.reference, o.subject, o.text, o.language, o.attempts

-- name: outbox_put
-- params: $1 new id, $2 recipient, $3 kind, $4 what it is about or null, $5 subject or null, $6 text or null, $7
--   seconds after which it is no longer sent, $8 language
-- returns: nothing
insert into outbox (id, recipient, kind, reference, subject, text, expires_at, language)
values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7), $8)

-- name: outbox_retry
-- params: $1 mail, $2 seconds until the next attempt
-- returns: nothing
update outbox set next_at = now() + make_interval(secs => $2) where id = $1

-- name: outbox_sent
-- params: $1 mail
-- returns: nothing; the mail was sent or given up
delete from outbox where id = $1

-- name: outbox_sweep
-- params: nothing
-- returns: how many expired mails were deleted
-- not null: dropped
with dropped as (delete from outbox where expires_at <= now() returning 1)
select count(*) as dropped from dropped
