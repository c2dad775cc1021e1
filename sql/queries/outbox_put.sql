-- takes: $1 new id, $2 recipient, $3 subject, $4 text, $5 seconds after which it is not sent any more; gives: nothing
insert into outbox (id, recipient, subject, text, expires_at)
values ($1, $2, $3, $4, now() + make_interval(secs => $5))
