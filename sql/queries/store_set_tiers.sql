-- params: arrays of arc id, weights, ends, exact, then $5 the import run; returns: nothing
update arc
set weights = t.weights, ends = t.ends, exact = t.exact, revision = $5::bigint
from unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::integer[]) as t (id, weights, ends, exact)
where arc.id = t.id
