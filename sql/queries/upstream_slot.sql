-- params: $1 key, $2 who asks, $3 server, $4 how many may ask it at once; returns: a row when the slot is taken. To be run while the day is locked
update upstream_fetch set server = $3
where key = $1 and lease = $2
  and (select count(*) from upstream_fetch where server = $3 and leased_until > now()) < $4::integer
returning key
