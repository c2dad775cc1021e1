-- params: $1 a reservation id, $2 milliseconds until it expires at the soonest; returns: its id, or no row when it had expired
update usage_reservation
set expires_at = greatest(expires_at, now() + $2::double precision * interval '1 millisecond')
where id = $1
returning id
