-- params: $1 SHA-256 of who tries what in hexadecimal, $2 seconds of a new window; returns: how often in the running window, this time included, and the seconds left of it
insert into attempt as a (subject, count, ends_at) values (decode($1, 'hex'), 1, now() + make_interval(secs => $2))
on conflict (subject) do update set
  count = case when a.ends_at > now() then a.count + 1 else 1 end,
  ends_at = case when a.ends_at > now() then a.ends_at else excluded.ends_at end
returning count, ceil(extract(epoch from ends_at - now()))::integer as left_s
