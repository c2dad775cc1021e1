-- params: $1 event; returns: a row when it is new
insert into payment_event (id) values ($1) on conflict do nothing returning id
