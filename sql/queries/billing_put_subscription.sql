-- takes: $1 org, $2 subscription, $3 customer, $4 status, $5 seconds since the epoch; gives: a row unless a newer event, or one of another live subscription, has been there
insert into subscription as s (org, id, customer, status, changed_at)
values ($1, $2, $3, $4, to_timestamp($5::double precision))
on conflict (org) do update set id = excluded.id, customer = excluded.customer, status = excluded.status, changed_at = excluded.changed_at
where (s.id = excluded.id and s.changed_at <= excluded.changed_at and not (s.status = 'canceled' and s.changed_at = excluded.changed_at))
   or (s.id <> excluded.id and excluded.status <> 'canceled' and (s.status = 'canceled' or s.changed_at < excluded.changed_at))
returning org
