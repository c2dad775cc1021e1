-- params: $1 a JSON array of {id, kind, kind_known, country, countries, disputed}; returns: nothing
update boundary b
set kind = g.kind, kind_known = g.kind_known, country = g.country, countries = g.countries, disputed = g.disputed
from jsonb_populate_recordset(null::boundary, $1::jsonb) g
where b.id = g.id
