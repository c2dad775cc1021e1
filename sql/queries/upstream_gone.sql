-- params: $1 a canonical id, $2 the reason; returns: a row when it is stored. The last good shape stays, and says so
update boundary b
set stale = jsonb_build_object('reason', $2::text, 'lat', b.lat / 1e7, 'lon', b.lon / 1e7,
                               'since', to_char(now() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
from source s
where b.id = $1 and s.id = b.source and not s.seed and b.has_geometry and b.stale is null
returning b.id
