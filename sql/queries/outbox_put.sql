-- takes: $1 new id, $2 recipient, $3 subject, $4 text, $5 html or null, $6 seconds after which it is not sent any more; gives: nothing
insert into outbox (id, recipient, subject, text, html, expires_at)
values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
