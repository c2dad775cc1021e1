-- params: $1 how many, $2 seconds that the claim holds; returns: mails that are due, which no one else is given before the claim has ended
update outbox set attempts = attempts + 1, next_at = now() + make_interval(secs => $2)
where id in (
  select id from outbox where next_at <= now() and expires_at > now()
  order by next_at, id limit $1 for update skip locked)
returning id, recipient, kind, reference, subject, text, attempts
