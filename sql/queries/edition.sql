-- name: edition_shadow
-- params: $1 tables
-- returns: the statements that give a transaction empty tables of these names, which hide the stored ones, with their
--   indexes and the foreign keys among them
-- not null: making
with shadowed as (
  select t.name, t.number, t.name::regclass as stored from unnest($1::text[]) with ordinality as t (name, number)
)
select (select string_agg(format('create temp table %1$I (like %1$I including all) on commit drop', name), '; ' order by number)
        from shadowed)
       || coalesce((select '; ' || string_agg(format('alter table %I add %s', c.relname, pg_get_constraintdef(f.oid)), '; ')
                    from pg_constraint f
                    join pg_class c on c.oid = f.conrelid
                    where f.contype = 'f' and f.conrelid in (select stored from shadowed)
                      and f.confrelid in (select stored from shadowed)), '')
       || format('; alter table arc alter column id drop identity, alter column id set default nextval(%L)',
                 pg_get_serial_sequence('arc', 'id')) as making

-- name: edition_hide
-- params: nothing
-- returns: the search path of the transaction, in which its own tables come first
select set_config('search_path', 'pg_temp, ' || current_setting('search_path'), true) as path

-- name: edition_as_of
-- params: $1 a date
-- returns: the search path of the transaction, in which every statement reads as of that date
select set_config('search_path', quote_ident(current_schema() || '_as_of') || ', ' || current_setting('search_path'), true) as path,
       set_config('boundary.as_of', $1::date::text, true) as day

-- name: edition_ids
-- params: $1 a source, arrays of ids within it, types and levels (null: none)
-- returns: the boundary ids that are known for them: of today, else of editions
select distinct on (k.number) k.number::integer as number, k.id
from (
  select a.number, b.id, 1 as place
  from unnest($2::text[], $3::text[], $4::integer[]) with ordinality as a (source_id, type, level, number)
  join stored_boundary b on b.source = $1 and b.source_id = a.source_id and b.type = a.type and b.admin_level is not distinct from a.level
  union all
  select a.number, b.id, 2
  from unnest($2::text[], $3::text[], $4::integer[]) with ordinality as a (source_id, type, level, number)
  join edition_boundary b on b.source = $1 and b.source_id = concat(a.level, '/', a.source_id) and b.type = a.type
) k
order by k.number, k.place, k.id

-- name: edition_taken
-- params: $1 a source, arrays of boundary ids and ids within the source
-- returns: the ids that another boundary has, in an edition or today. Seed data has the ids of the map
select a.id
from unnest($2::text[], $3::text[]) as a (id, source_id)
where exists (select from edition_boundary b where b.id = a.id and (b.source <> $1 or b.source_id <> a.source_id))
   or exists (select from stored_boundary b where b.id = a.id and b.source <> $1 and not b.seed)

-- name: edition_load_arcs
-- params: $1 a source, $2 a date
-- returns: nothing. Copies the arcs of that edition into the tables of this transaction
insert into arc (id, hash, coords, weights, ends, exact, revision, area, turn, box, class, main, reach, reach_box)
select a.id, a.arc_hash, a.coords, a.weights, a.ends, a.exact, a.revision, a.area, a.turn, a.box, a.class, a.main, r.reach, r.reach_box
from edition e
join edition_reach r on r.edition = e.id
join edition_arc a on a.id = r.arc
where e.source = $1 and e.valid_from = $2::date

-- name: edition_load_conflicts
-- params: nothing
-- returns: nothing
insert into arc_conflict (a, b, kind, x, y)
select c.a, c.b, c.kind, c.x, c.y
from edition_conflict c
where exists (select from arc where arc.id = c.a) and exists (select from arc where arc.id = c.b)

-- name: edition_load_boundaries
-- params: $1 a source, $2 a date
-- returns: the ids of the boundaries, copied into the tables of this transaction
insert into boundary (id, source, source_id, source_version, type, name, names, kind, kind_given, admin_level, country, countries, disputed, country_given, country_code, iso, wikidata, population, tags, place, subareas, other_names, codes, ways, west, south, east, north, lat, lon, area_km2, has_geometry, broken, stale, geometry_hash, kind_known, inherited, code_ids, version, imported_at, meta_hash)
select b.id, b.source, b.source_id, b.source_version, b.type, b.name, b.names, b.kind, b.kind_given, b.admin_level, b.country, b.countries, b.disputed, b.country_given, b.country_code, b.iso, b.wikidata, b.population, b.tags, b.place, b.subareas, b.other_names, b.codes, b.ways, b.west, b.south, b.east, b.north, b.lat, b.lon, b.area_km2, b.has_geometry, b.broken, b.stale, b.geometry_hash, b.kind_known, b.inherited, b.code_ids, 1, now(), b.meta_hash
from edition e
join edition_member m on m.edition = e.id
join edition_boundary b on b.state = m.state
where e.source = $1 and e.valid_from = $2::date
returning id

-- name: edition_load_shapes
-- params: $1 a source, $2 a date
-- returns: nothing
insert into boundary_shape (boundary_id, arcs, ring_end, polygon_end, arc_ids, geom, largest)
select b.id, s.arcs, s.ring_end, s.polygon_end, s.arc_ids, s.geom, s.largest
from edition e
join edition_member m on m.edition = e.id
join edition_boundary b on b.state = m.state
join edition_shape s on s.id = b.shape
where e.source = $1 and e.valid_from = $2::date

-- name: edition_load_names
-- params: $1 a source, $2 a date
-- returns: nothing
insert into boundary_name (boundary_id, type, lang, folded, ascii, weight)
select n.boundary_id, n.type, n.lang, n.folded, n.ascii, n.weight
from edition e
join edition_member m on m.edition = e.id
join edition_name n on n.state = m.state
where e.source = $1 and e.valid_from = $2::date

-- name: edition_load_parents
-- params: $1 a source, $2 a date
-- returns: nothing
insert into boundary_parent (child, parent, share, "position", derived)
select p.child, p.parent, p.share, p."position", p.derived
from edition e
join edition_member m on m.edition = e.id
join edition_parent p on p.state = m.state
where e.source = $1 and e.valid_from = $2::date

-- name: edition_put_arcs
-- params: nothing
-- returns: how many arcs of this transaction's tables no edition has had
-- not null: added
with put as (
  insert into edition_arc (id, hash, arc_hash, coords, weights, ends, exact, revision, area, turn, box, class, main)
  select nextval('arc_id_seq'), edition_arc_hash(coords, weights, ends, exact, class, main), hash, coords, weights,
         ends, exact, nextval('arc_revision'), area, turn, box, class, main
  from arc
  where arrangement = 0
  on conflict (hash) do nothing
  returning 1
)
select count(*)::integer as added from put

-- name: edition_draft_arcs
-- params: nothing
-- returns: nothing. Notes which stored arc each of this transaction's is
insert into edition_arc_draft (id, saved)
select a.id, e.id
from arc a
join edition_arc e on e.hash = edition_arc_hash(a.coords, a.weights, a.ends, a.exact, a.class, a.main)
where a.arrangement = 0

-- name: edition_put_conflicts
-- params: nothing
-- returns: nothing
insert into edition_conflict (a, b, kind, x, y)
select least(a.saved, b.saved), greatest(a.saved, b.saved), c.kind, c.x, c.y
from arc_conflict c
join edition_arc_draft a on a.id = c.a
join edition_arc_draft b on b.id = c.b
on conflict do nothing

-- name: edition_draft_boundaries
-- params: nothing
-- returns: nothing. Notes the shape of each boundary in stored arcs, and what names its state
with placed as (
  select s.boundary_id, r.number, sign(r.ref)::bigint * d.saved as ref, width_bucket(r.number::integer - 1, s.ring_end) as ring,
         d.saved
  from boundary_shape s
  cross join unnest(s.arcs) with ordinality as r (ref, number)
  join edition_arc_draft d on d.id = abs(r.ref)
), turned as (
  -- A ring starts at its arc with the least id, wherever the import began it.
  select boundary_id, ring, ref, number < first_value(number) over (partition by boundary_id, ring order by saved) as is_before, number
  from placed
), shaped as (
  select s.boundary_id, s.ring_end, s.polygon_end, t.arcs
  from boundary_shape s
  join (select boundary_id, array_agg(ref order by ring, is_before, number) as arcs from turned group by 1) t
    on t.boundary_id = s.boundary_id
), hashed as (
  select boundary_id, arcs, edition_shape_hash(arcs, ring_end, polygon_end) as hash from shaped
)
insert into edition_draft (boundary_id, arcs, shape_hash, state_hash)
select b.id, h.arcs, h.hash,
       sha256(convert_to((to_jsonb(b) - array['version', 'imported_at', 'source_version', 'ring_hash', 'meta_hash', 'recorded_in'])::text
                         || coalesce((select jsonb_agg(jsonb_build_array(p.parent, p.share, p."position", p.derived) order by p."position", p.parent)
                                      from boundary_parent p where p.child = b.id)::text, ''), 'UTF8')
              || coalesce(h.hash, ''::bytea))
from boundary b
left join hashed h on h.boundary_id = b.id

-- name: edition_put_shapes
-- params: nothing
-- returns: how many shapes no edition has had
-- not null: added
with put as (
  insert into edition_shape (hash, arcs, ring_end, polygon_end, arc_ids, geom, largest)
  select distinct on (d.shape_hash) d.shape_hash, d.arcs, s.ring_end, s.polygon_end,
         array(select distinct abs(r.ref) from unnest(d.arcs) as r (ref)), s.geom, s.largest
  from edition_draft d
  join boundary_shape s on s.boundary_id = d.boundary_id
  on conflict (hash) do nothing
  returning 1
)
select count(*)::integer as added from put

-- name: edition_put_states
-- params: nothing
-- returns: how many states of boundaries no edition has had
-- not null: added
with put as (
  insert into edition_boundary (state_hash, shape, geom, arc_ids, id, source, source_id, source_version, type, name, names, kind, kind_given, admin_level, country, countries, disputed, country_given, country_code, iso, wikidata, population, tags, place, subareas, other_names, codes, ways, west, south, east, north, lat, lon, area_km2, has_geometry, broken, stale, geometry_hash, kind_known, inherited, code_ids, version, imported_at, meta_hash)
  select d.state_hash, s.id, s.geom, s.arc_ids, b.id, b.source, b.source_id, b.source_version, b.type, b.name, b.names, b.kind, b.kind_given, b.admin_level, b.country, b.countries, b.disputed, b.country_given, b.country_code, b.iso, b.wikidata, b.population, b.tags, b.place, b.subareas, b.other_names, b.codes, b.ways, b.west, b.south, b.east, b.north, b.lat, b.lon, b.area_km2, b.has_geometry, b.broken, b.stale, b.geometry_hash, b.kind_known, b.inherited, b.code_ids, 1, now(), b.meta_hash
  from boundary b
  join edition_draft d on d.boundary_id = b.id
  left join edition_shape s on s.hash = d.shape_hash
  on conflict (state_hash) do nothing
  returning 1
)
select count(*)::integer as added from put

-- name: edition_put_names
-- params: nothing
-- returns: nothing
insert into edition_name (boundary_id, type, lang, folded, ascii, weight, state)
select n.boundary_id, n.type, n.lang, n.folded, n.ascii, n.weight, s.state
from boundary_name n
join edition_draft d on d.boundary_id = n.boundary_id
join edition_boundary s on s.state_hash = d.state_hash
where not exists (select from edition_name x where x.state = s.state)

-- name: edition_put_parents
-- params: nothing
-- returns: nothing
insert into edition_parent (child, parent, share, "position", derived, state)
select p.child, p.parent, p.share, p."position", p.derived, s.state
from boundary_parent p
join edition_draft d on d.boundary_id = p.child
join edition_boundary s on s.state_hash = d.state_hash
where not exists (select from edition_parent x where x.state = s.state)

-- name: edition_put_source
-- params: $1 a source
-- returns: nothing. Keeps the description that is already stored
insert into edition_source
select * from source where id = $1
on conflict (id) do nothing

-- name: edition_put
-- params: $1 source, $2 date, $3 file
-- returns: its number
insert into edition (source, valid_from, file) values ($1, $2::date, $3)
on conflict (source, valid_from) do update set file = excluded.file, recorded_at = now()
returning id

-- name: edition_clear
-- params: $1 number of an edition
-- returns: nothing
with layers as (
  delete from edition_layer where edition = $1
), reaches as (
  delete from edition_reach where edition = $1
)
delete from edition_member where edition = $1

-- name: edition_put_members
-- params: $1 number of an edition
-- returns: the states
insert into edition_member (edition, state)
select $1, s.state
from edition_draft d
join edition_boundary s on s.state_hash = d.state_hash
returning state

-- name: edition_put_layers
-- params: $1 number of an edition
-- returns: nothing
insert into edition_layer (edition, type, admin_level, boundaries)
select $1, b.type, b.admin_level, count(*)::integer
from edition_member m
join edition_boundary b on b.state = m.state
where m.edition = $1
group by b.type, b.admin_level

-- name: edition_close_intervals
-- params: $1 a source
-- returns: nothing. Ends what the editions no longer say; answers as of an earlier moment still have it
update edition_interval i
set recorded_to = now()
where i.source = $1 and i.recorded_to is null
  and not exists (select from edition_interval_computed c
                  where c.source = i.source and c.state = i.state and c.valid_from = i.valid_from
                    and c.valid_to is not distinct from i.valid_to)

-- name: edition_open_intervals
-- params: $1 a source
-- returns: nothing
insert into edition_interval (state, boundary_id, source, valid_from, valid_to)
select c.state, c.boundary_id, c.source, c.valid_from, c.valid_to
from edition_interval_computed c
where c.source = $1
  and not exists (select from edition_interval i
                  where i.state = c.state and i.valid_from = c.valid_from and i.recorded_to is null)

-- name: edition_again
-- params: $1 number of an edition
-- returns: nothing. Notes of its layers that they are no longer pruned
update history_pruned p
set again_in = data_recording()
from edition e
join edition_layer l on l.edition = e.id
where e.id = $1 and p.source = e.source and p.valid_from = e.valid_from and p.type = l.type
  and p.admin_level is not distinct from l.admin_level and p.again_in is null

-- name: edition_load_source
-- params: $1 a source
-- returns: nothing
insert into source
select * from edition_source where id = $1

-- name: edition_put_reaches
-- params: $1 number of an edition
-- returns: nothing
insert into edition_reach (edition, arc, reach, reach_box)
select $1, d.saved, a.reach, a.reach_box
from arc a
join edition_arc_draft d on d.id = a.id
where a.arrangement = 0
