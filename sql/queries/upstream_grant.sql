-- params: $1 for an anonymous caller, $2 in the background, $3 requests a day, $4 bytes a day, $5 and $6 the parts of both that the two kinds may use; returns: the bytes left when one more request is within the day's budget, else nothing. It locks the day
insert into upstream_day as d (day, requests, anonymous_requests, background_requests)
select (now() at time zone 'utc')::date, 1, $1::boolean::integer, $2::boolean::integer
where $3::bigint > 0 and $4::bigint > 0 and (not $1::boolean or $3 * $5::float8 >= 1) and (not $2::boolean or $3 * $6::float8 >= 1)
on conflict (day) do update
set requests = d.requests + 1,
    anonymous_requests = d.anonymous_requests + excluded.anonymous_requests,
    background_requests = d.background_requests + excluded.background_requests
where d.requests < $3 and d.bytes < $4
  and (not $1 or (d.anonymous_requests + 1 <= $3 * $5 and d.anonymous_bytes < $4 * $5))
  and (not $2 or (d.background_requests + 1 <= $3 * $6 and d.background_bytes < $4 * $6))
returning $4 - d.bytes as bytes_left
