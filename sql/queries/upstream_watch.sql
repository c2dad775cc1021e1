-- params: $1 keys; returns: what has become of each
select key, coalesce(leased_until > now(), false) as running, outcome, ids,
       coalesce(holds_until > now(), false) as holds, failure
from upstream_fetch
where key = any ($1::text[])
