-- params: $1 key, $2 who asked, $3 outcome, $4 ids found, $5 seconds that it holds; returns: nothing
update upstream_fetch
set lease = null, leased_until = null, server = null, outcome = $3, ids = $4, asked_at = now(),
    holds_until = now() + make_interval(secs => $5), failure = null
where key = $1 and lease = $2
