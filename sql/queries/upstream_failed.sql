-- params: $1 key, $2 who asked, $3 why, $4 seconds, $5 seconds; returns: nothing. The last answer stays what it was and is good enough for so long; without one, no one asks again for the other time
update upstream_fetch
set lease = null, leased_until = null, server = null, failure = $3,
    holds_until = case when outcome in ('found', 'broken')
                       then greatest(holds_until, now() + make_interval(secs => $4))
                       else now() + make_interval(secs => $5) end
where key = $1 and lease = $2
