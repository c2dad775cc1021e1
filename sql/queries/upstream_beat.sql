-- params: $1 who asks, $2 keys, $3 seconds; returns: nothing. The claims hold for so long from now
update upstream_fetch set leased_until = now() + make_interval(secs => $3)
where lease = $1 and key = any ($2::text[])
