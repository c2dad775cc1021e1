-- params: $1 new id, $2 recipient, $3 kind, $4 what it is about or null, $5 subject or null, $6 text or null, $7 seconds after which it is not sent any more; returns: nothing
insert into outbox (id, recipient, kind, reference, subject, text, expires_at)
values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
