-- name: ring_hashes
-- params: $1 boundary ids
-- returns: the current ring_hash of those that have a shape
-- prepared: planned once per session, because planning takes longer than running
select id, encode(ring_hash, 'hex') as ring_hash from boundary where id = any ($1::text[]) and has_geometry
