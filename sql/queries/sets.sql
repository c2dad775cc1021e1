-- name: sets_drop
-- params: $1 set
-- returns: nothing; also deletes its versions and shares
delete from area_set where id = $1

-- name: sets_drop_version
-- params: $1 set, $2 date
-- returns: the number of the version that is deleted with its areas, or no row
delete from area_set_version where area_set = $1 and valid_from = $2::date returning id

-- name: sets_limits
-- params: $1 org
-- returns: what the plan of the organization allows (null: no limit), and what it has
-- not null: sets, areas, vertices
select p.area_sets as most_sets, p.set_areas as most_areas, p.set_vertices as most_vertices,
       (select count(*)::integer from area_set s where s.org = o.id) as sets,
       coalesce(t.areas, 0)::float8 as areas, coalesce(t.vertices, 0)::float8 as vertices
from org o
join plan p on p.id = o.plan
cross join lateral (
  select sum(v.areas) as areas, sum(v.vertices) as vertices
  from area_set s
  join area_set_version v on v.area_set = s.id
  where s.org = o.id
) t
where o.id = $1

-- name: sets_list
-- params: $1 org, $2 account, $3 names, or null for all
-- returns: the sets of the organization with what decides the account's access to them, and their versions, the oldest
--   first; the caller leaves out by role those they may not see
-- not null: id, name, title, visibility, created_at, updated_at, versions, creator_email, own
-- types: share 1 | 2 | 3; versions readonly { readonly id: number, readonly valid_from: string, readonly made_from:
--   string, readonly attribution: string, readonly areas: number, readonly vertices: number, readonly recorded_at:
--   string }[]
select s.id, s.name, s.title, s.visibility, s.created_at, s.updated_at, s.creator, a.email as creator_email, a.name as creator_name,
       coalesce(s.creator = $2, false) as own,
       (
         select max(array_position(array['read', 'write', 'admin'], h.access))
         from area_set_share h
         where h.area_set = s.id and (
           h.account = $2 or h.team in (select t.team from team_member t where t.org = $1 and t.account = $2)
         )
       ) as share,
       coalesce((select jsonb_agg(jsonb_build_object('id', v.id, 'valid_from', v.valid_from, 'made_from', v.made_from,
                                                     'attribution', v.attribution, 'areas', v.areas,
                                                     'vertices', v.vertices, 'recorded_at', v.recorded_at)
                                  order by v.valid_from)
                 from area_set_version v where v.area_set = s.id), '[]'::jsonb) as versions
from area_set s
left join account a on a.id = s.creator
where s.org = $1 and ($3::text[] is null or s.name = any ($3::text[]))
order by s.name

-- name: sets_members
-- params: $1 version, $2 the last code of the page before, or '', $3 limit
-- returns: a page of its areas by code
-- types: broken { readonly reason: string }; tags Readonly<Record<string, string>>
select b.id, b.name, b.kind, b.population::float8 as population, b.area_km2, b.broken, b.west, b.south, b.east, b.north, b.lat, b.lon, b.tags
from set_boundary b
where b.version_id = $1::bigint and b.source_id > $2::text collate "C"
order by b.source_id collate "C"
limit $3

-- name: sets_official_arcs
-- params: $1..$4 boxes (west, south, east, north; 1e-7 degrees)
-- returns: the official arcs whose box meets one of the boxes
select a.id, a.coords
from arc a
where a.id in (
  select m.id
  from unnest($1::float8[], $2::float8[], $3::float8[], $4::float8[]) as q (west, south, east, north)
  join arc m on m.box && box(point(q.east, q.north), point(q.west, q.south))
  where m.arrangement = 0
)

-- name: sets_official_size
-- params: $1..$4 as of sets_official_arcs
-- returns: how many vertices these arcs have
-- not null: vertices
select coalesce(sum(length(a.coords) / 8), 0)::float8 as vertices
from arc a
where a.id in (
  select m.id
  from unnest($1::float8[], $2::float8[], $3::float8[], $4::float8[]) as q (west, south, east, north)
  join arc m on m.box && box(point(q.east, q.north), point(q.west, q.south))
  where m.arrangement = 0
)

-- name: sets_put
-- params: $1 id, $2 org, $3 creator, $4 name, $5 title, $6 visibility
-- returns: the id, or no row when the organization has a set of this name
insert into area_set (id, org, creator, name, title, visibility) values ($1, $2, $3, $4, $5, $6)
on conflict (org, name) do nothing
returning id

-- name: sets_put_version
-- params: $1 set, $2 date, $3 made from, $4 attribution, $5 areas, $6 vertices, $7 report as JSON, $8 gaps and overlaps
--   as
--   GeoJSON features
-- returns: its number. The caller holds the lock of the organization. recorded_at is the time at which it has it, not
--   that at which its transaction began, which may be before that of a version committed since: base asks for the
--   newest, and would miss this one
insert into area_set_version (area_set, valid_from, made_from, attribution, areas, vertices, report, seams, recorded_at)
values ($1, $2::date, $3, $4, $5, $6::bigint, $7::jsonb, $8::jsonb, clock_timestamp())
returning id

-- name: sets_report
-- params: $1 version
-- returns: what was left out, cleaned and found when it was made
select report - 'members' as report from area_set_version where id = $1::bigint

-- name: sets_groups
-- params: $1 version
-- returns: the ids of the members of its areas by their codes; null unless it was made from groups
-- types: members Readonly<Record<string, readonly string[]>>
select report -> 'members' as members from area_set_version where id = $1::bigint

-- name: sets_seams
-- params: $1 version
-- returns: gaps between its areas and overlaps, as GeoJSON features; null where they were not found
select seams::text as seams from area_set_version where id = $1::bigint

-- name: sets_share_drop
-- params: $1 set or null, $2 share or null, $3 org, $4 team or null, $5 account or null
-- returns: the deleted shares, those that match every parameter that is not null, with the names of set and recipient
-- not null: id, area_set, set_name, team_name, email, access
with dropped as (
  delete from area_set_share
  where org = $3 and ($1::text is null or area_set = $1) and ($2::text is null or id = $2)
    and ($4::text is null or team = $4) and ($5::text is null or account = $5)
  returning id, area_set, team, account, access
)
select d.id, d.area_set, s.name as set_name, d.access, d.team, t.name as team_name, d.account, a.email
from dropped d
join area_set s on s.id = d.area_set
left join team t on t.id = d.team
left join account a on a.id = d.account
order by d.id

-- name: sets_share_put
-- params: $1 new id, $2 set, $3 org, $4 team or null, $5 account or null, $6 access
-- returns: the share, and its previous access (null: it is new)
with before as (
  select id, access from area_set_share where area_set = $2 and (team = $4 or account = $5)
),
changed as (
  update area_set_share s set access = $6 from before b where s.id = b.id
),
added as (
  insert into area_set_share (id, area_set, org, team, account, access)
  select $1, $2, $3, $4, $5, $6 where not exists (select from before)
)
select coalesce(b.id, $1) as id, b.access as before from (select) one left join before b on true

-- name: sets_shares
-- params: $1 set
-- returns: its shares, oldest first
-- not null: grant_id, access, created_at, team_slug, team_name, email
select s.id as grant_id, s.access, s.created_at,
       t.id as team, t.slug as team_slug, t.name as team_name,
       a.id as account, a.email, a.name
from area_set_share s
left join team t on t.id = s.team
left join account a on a.id = s.account
where s.area_set = $1
order by s.created_at, s.id

-- name: sets_update
-- params: $1 set, $2 title or null, $3 visibility or null
-- returns: nothing
update area_set set title = coalesce($2, title), visibility = coalesce($3, visibility), updated_at = now() where id = $1

-- name: sets_view
-- params: $1 numbers of versions separated by commas, $2 whether official boundaries are read as well
-- returns: the search path of the transaction, in which every statement reads these versions; where edition_as_of has
--   set a date, beside the official boundaries of that date
select set_config('search_path', quote_ident(current_schema() || '_sets') || ', ' || current_setting('search_path'), true) as path,
       set_config('boundary.set_versions', $1::text, true) as versions,
       set_config('boundary.official', case when $2::boolean then 'yes' else 'no' end, true) as official

-- name: sets_copy_arcs
-- params: $1 version
-- returns: nothing. Copies the arcs of this transaction's tables
insert into set_arc (id, hash, coords, weights, ends, exact, revision, area, turn, box, class, main, version)
select id, hash, coords, weights, ends, exact, nextval('arc_revision'), area, turn, box, class, main, $1::bigint
from arc
where arrangement = 0

-- name: sets_copy_conflicts
-- params: $1 version
-- returns: nothing
insert into set_conflict (a, b, kind, x, y, version)
select a, b, kind, x, y, $1::bigint from arc_conflict

-- name: sets_copy_boundaries
-- params: $1 version
-- returns: nothing. The ring_hash names the version, too: no other shape has it, whatever its arcs
insert into set_boundary (id, source, source_id, source_version, type, name, names, kind, kind_given, admin_level, country, countries, disputed, country_given, country_code, iso, wikidata, population, tags, place, subareas, other_names, codes, ways, west, south, east, north, lat, lon, area_km2, has_geometry, broken, stale, geometry_hash, kind_known, inherited, code_ids, version, imported_at, meta_hash, ring_hash, version_id)
select b.id, b.source, b.source_id, b.source_version, b.type, b.name, b.names, b.kind, b.kind_given, b.admin_level, b.country, b.countries, b.disputed, b.country_given, b.country_code, b.iso, b.wikidata, b.population, b.tags, b.place, b.subareas, b.other_names, b.codes, b.ways, b.west, b.south, b.east, b.north, b.lat, b.lon, b.area_km2, b.has_geometry, b.broken, b.stale, b.geometry_hash, b.kind_known, b.inherited, b.code_ids, 1, now(), b.meta_hash,
       sha256(b.ring_hash || convert_to('set ' || $1::bigint, 'UTF8')), $1::bigint
from boundary b

-- name: sets_copy_shapes
-- params: $1 version
-- returns: nothing
insert into set_shape (boundary_id, arcs, ring_end, polygon_end, arc_ids, geom, largest, version_id)
select boundary_id, arcs, ring_end, polygon_end, arc_ids, geom, largest, $1::bigint from boundary_shape

-- name: sets_copy_names
-- params: $1 version
-- returns: nothing
insert into set_name (boundary_id, type, lang, folded, ascii, weight, version_id)
select boundary_id, type, lang, folded, ascii, weight, $1::bigint from boundary_name

-- name: sets_drafted
-- params: nothing
-- returns: how many areas and vertices this transaction's tables have
-- not null: areas, vertices
select (select count(*)::integer from boundary) as areas,
       (select coalesce(sum(length(coords) / 8), 0)::float8 from arc where arrangement = 0) as vertices
