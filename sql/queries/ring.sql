-- name: ring_hashes
-- params: $1 boundary ids
-- returns: the present ring_hash of those that have a shape
-- prepared: planned once a session, as planning it takes longer than running it
select id, encode(ring_hash, 'hex') as ring_hash from boundary where id = any ($1::text[]) and has_geometry
