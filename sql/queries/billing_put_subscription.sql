-- params: $1 org, $2 subscription, $3 customer, $4 state, $5 status, $6 price or null, $7 seconds since the epoch; returns: a row unless a newer event has been there; what was cancelled stays so
insert into subscription as s (org, id, customer, state, status, price, changed_at)
values ($1, $2, $3, $4, $5, $6, to_timestamp($7::double precision))
on conflict (id) do update set state = excluded.state, status = excluded.status, price = excluded.price, changed_at = excluded.changed_at
where s.org = excluded.org and s.status not in ('canceled', 'incomplete_expired') and s.changed_at <= excluded.changed_at
returning id
