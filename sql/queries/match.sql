-- name: match_correction_count
-- params: $1 organization, $2 names of area sets, or null for all
-- returns: how many corrections it has, without those to areas of other sets
-- not null: total
select count(*)::integer as total from match_correction
where org = $1 and ($2::text[] is null or boundary not like 'set:%' or split_part(substr(boundary, 5), '/', 1) = any ($2::text[]))

-- name: match_correction_delete
-- params: $1 organization, $2 folded names, $3 the places around each
-- returns: the names that had a correction
delete from match_correction c
using unnest($2::text[], $3::text[]) as removed (name, within)
where c.org = $1 and c.name = removed.name and c.within = removed.within
returning c.name

-- name: match_correction_find
-- params: $1 organization, $2 folded names
-- returns: the corrections of these names
select name, within, boundary from match_correction where org = $1 and name = any ($2::text[])

-- name: match_correction_list
-- params: $1 organization, $2 most rows, $3 rows to skip, $4 names of area sets
-- returns: its corrections by name, without those to areas of other sets
select name, within, written, boundary, created_at from match_correction
where org = $1 and (boundary not like 'set:%' or split_part(substr(boundary, 5), '/', 1) = any ($4::text[]))
order by name collate "C", within collate "C"
limit $2 offset $3

-- name: match_correction_lock
-- params: $1 organization
-- returns: the organization, locked so that its corrections are counted and changed one call at a time
select id from org where id = $1 for update

-- name: match_correction_put
-- params: $1 organization, $2 folded names, $3 the places around each, $4 the names as they were sent, $5 canonical ids
-- returns: nothing
insert into match_correction (org, name, within, written, boundary)
select $1, made.name, made.within, made.written, made.boundary
from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as made (name, within, written, boundary)
on conflict (org, name, within) do update set written = excluded.written, boundary = excluded.boundary, created_at = now()
