-- params: $1 mail, $2 seconds until it is tried again; returns: nothing
update outbox set next_at = now() + make_interval(secs => $2) where id = $1
