-- params: $1 a JSON array of {id, version, stale}; returns: nothing. The last good shape stays
update boundary b
set version = g.version, stale = g.stale
from jsonb_populate_recordset(null::boundary, $1::jsonb) g
where b.id = g.id
