-- params: $1 for an anonymous caller, $2 in the background, $3 bytes; returns: nothing
insert into upstream_day as d (day, bytes, anonymous_bytes, background_bytes)
values ((now() at time zone 'utc')::date, $3::bigint,
        case when $1::boolean then $3::bigint else 0 end, case when $2::boolean then $3::bigint else 0 end)
on conflict (day) do update
set bytes = d.bytes + excluded.bytes,
    anonymous_bytes = d.anonymous_bytes + excluded.anonymous_bytes,
    background_bytes = d.background_bytes + excluded.background_bytes
