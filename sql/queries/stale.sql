-- name: stale_list
-- params: nothing
-- returns: the boundaries that still show an older shape, the longest stale first
-- types: stale { readonly reason: string, readonly lat: number | null, readonly lon: number | null, readonly since:
--   string }
select b.id, b.name, b.type, b.admin_level, b.country, b.source, b.stale
from boundary b
where b.stale is not null
order by b.stale ->> 'since', b.id
