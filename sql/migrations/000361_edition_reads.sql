-- Reads as of a date as fast as those of today: each view of the past is all rows of two tables, by whose indexes the
-- planner can look a row up, and a condition that is worked out for the rows that are left.
alter table edition_boundary add column geom geometry(MultiPolygon, 4326), add column arc_ids bigint[];
update edition_boundary b set geom = s.geom, arc_ids = s.arc_ids from edition_shape s where s.id = b.shape;
create index edition_boundary_geom on edition_boundary using gist (geom);
create index edition_boundary_arcs on edition_boundary using gin (arc_ids) with (fastupdate = off);
create index edition_name_boundary on edition_name (boundary_id);
create index edition_parent_child on edition_parent (child);

-- The moment at which the day of the date ends.
create function as_of_end() returns timestamptz language sql stable
  return (as_of_date() + 1)::timestamp at time zone 'UTC';

-- Whether a boundary of today that was stored by the date is in force on it: nothing has ended it by then. This is
-- boundary_today_at for one row. No SQL function with a query in it is inlined, so that none becomes a join of all rows.
create function lasts_as_of(id text, source text, type text, admin_level smallint, imported_at timestamptz) returns boolean
language sql stable cost 1000
  return imported_at < as_of_end()
    and not exists (select from edition e
                    where e.source = lasts_as_of.source and e.valid_from > day_of(lasts_as_of.imported_at) and e.valid_from <= as_of_date()
                      and exists (select from edition_layer l
                                  where l.edition = e.id and l.type = lasts_as_of.type
                                    and l.admin_level is not distinct from lasts_as_of.admin_level))
    and not exists (select from edition_interval i
                    where i.boundary_id = lasts_as_of.id and i.recorded_to is null
                      and i.valid_from > day_of(lasts_as_of.imported_at) and i.valid_from <= as_of_date());

-- The same of a boundary by its id; false if today has none.
create function today_has_as_of(id text) returns boolean language sql stable cost 1000
  return coalesce((select lasts_as_of(b.id, b.source, b.type, b.admin_level, b.imported_at)
                   from boundary b where b.id = today_has_as_of.id), false);

-- Which of the boundaries of today are in force on the date: 0 none, 2 all of them, 1 some. Once for a statement.
create function today_as_of() returns integer language sql stable
  return case when not exists (select from boundary b where b.imported_at < as_of_end()) then 0
              when exists (select from boundary b where b.imported_at >= as_of_end()) then 1
              when exists (select from edition e
                           where e.valid_from <= as_of_date()
                             and e.valid_from > (select day_of(min(b.imported_at)) from boundary b)) then 1
              else 2 end;

-- When a state of editions began to be in force, if it is in force on the date, and not that of today instead; else null.
create function state_since(state bigint, today integer) returns date language sql stable cost 1000
  return (select i.valid_from
          from edition_interval i
          where i.state = state_since.state and i.recorded_to is null
            and i.valid_from <= as_of_date() and (i.valid_to is null or i.valid_to > as_of_date())
            and (state_since.today = 0 or not today_has_as_of(i.boundary_id))
          limit 1);

create or replace view boundary_at as
select u.id, u.source, u.source_id, u.source_version,
       case when u.state is null then u.version else to_char(state_since(u.state, (select today_as_of())), 'YYYYMMDD')::integer end as version,
       case when u.state is null then u.imported_at else state_since(u.state, (select today_as_of()))::timestamp at time zone 'UTC' end as imported_at,
       u.type, u.name, u.names, u.kind, u.kind_given, u.admin_level, u.country, u.countries, u.disputed, u.country_given,
       u.country_code, u.iso, u.wikidata, u.population, u.tags, u.place, u.subareas, u.other_names, u.codes, u.ways, u.west,
       u.south, u.east, u.north, u.lat, u.lon, u.area_km2, u.has_geometry, u.broken, u.stale, u.geometry_hash,
       case when u.state is null then u.ring_hash
            else (select sha256(s.hash || convert_to(arrangement_of_layer(u.source, u.type, u.admin_level), 'UTF8'))
                  from edition_shape s where s.id = u.shape) end as ring_hash,
       u.meta_hash, u.kind_known, u.inherited, u.code_ids
from (
  select b.state, b.shape, b.id, b.source, b.source_id, b.source_version, b.version, b.imported_at, b.type, b.name, b.names,
         b.kind, b.kind_given, b.admin_level, b.country, b.countries, b.disputed, b.country_given, b.country_code, b.iso,
         b.wikidata, b.population, b.tags, b.place, b.subareas, b.other_names, b.codes, b.ways, b.west, b.south, b.east,
         b.north, b.lat, b.lon, b.area_km2, b.has_geometry, b.broken, b.stale, b.geometry_hash, b.ring_hash,
         b.state_hash as meta_hash, b.kind_known, b.inherited, b.code_ids
  from edition_boundary b
  union all
  select null::bigint, null::bigint, b.id, b.source, b.source_id, b.source_version, b.version, b.imported_at, b.type, b.name,
         b.names, b.kind, b.kind_given, b.admin_level, b.country, b.countries, b.disputed, b.country_given, b.country_code,
         b.iso, b.wikidata, b.population, b.tags, b.place, b.subareas, b.other_names, b.codes, b.ways, b.west, b.south, b.east,
         b.north, b.lat, b.lon, b.area_km2, b.has_geometry, b.broken, b.stale, b.geometry_hash, b.ring_hash, b.meta_hash,
         b.kind_known, b.inherited, b.code_ids
  from boundary b
) u
where case when u.state is null then
             case (select today_as_of()) when 0 then false when 2 then true
               else lasts_as_of(u.id, u.source, u.type, u.admin_level, u.imported_at) end
           else state_since(u.state, (select today_as_of())) is not null end;

create or replace view boundary_shape_at as
select u.boundary_id,
       case when u.state is null then u.arcs else (select s.arcs from edition_shape s where s.id = u.shape) end as arcs,
       case when u.state is null then u.ring_end else (select s.ring_end from edition_shape s where s.id = u.shape) end as ring_end,
       case when u.state is null then u.polygon_end
            else (select s.polygon_end from edition_shape s where s.id = u.shape) end as polygon_end,
       u.arc_ids, u.geom,
       case when u.state is null then u.largest else (select s.largest from edition_shape s where s.id = u.shape) end as largest
from (
  select b.state, b.shape, b.id as boundary_id, null::bigint[] as arcs, null::integer[] as ring_end,
         null::integer[] as polygon_end, b.arc_ids, b.geom, null::integer as largest
  from edition_boundary b
  union all
  select null::bigint, null::bigint, s.boundary_id, s.arcs, s.ring_end, s.polygon_end, s.arc_ids, s.geom, s.largest
  from boundary_shape s
) u
where case when u.state is null then
             case (select today_as_of()) when 0 then false when 2 then true else today_has_as_of(u.boundary_id) end
           else u.shape is not null and state_since(u.state, (select today_as_of())) is not null end;

create or replace view boundary_name_at as
select u.boundary_id, u.type, u.lang, u.folded, u.ascii, u.weight
from (
  select n.state, n.boundary_id, n.type, n.lang, n.folded, n.ascii, n.weight from edition_name n
  union all
  select null::bigint, n.boundary_id, n.type, n.lang, n.folded, n.ascii, n.weight from boundary_name n
) u
where case when u.state is null then
             case (select today_as_of()) when 0 then false when 2 then true else today_has_as_of(u.boundary_id) end
           else state_since(u.state, (select today_as_of())) is not null end;

create or replace view boundary_parent_at as
select u.child, u.parent, u.share, u."position", u.derived
from (
  select p.state, p.child, p.parent, p.share, p."position", p.derived from edition_parent p
  union all
  select null::bigint, p.child, p.parent, p.share, p."position", p.derived from boundary_parent p
) u
where case when u.state is null then
             case (select today_as_of()) when 0 then false when 2 then true
               else today_has_as_of(u.child) and today_has_as_of(u.parent) end
           else state_since(u.state, (select today_as_of())) is not null end;

-- Which arrangement the arcs of a boundary are of.
create or replace function arrangement_at(boundary text) returns text language sql stable
  return coalesce((select arrangement_of_layer(b.source, b.type, b.admin_level)
                   from edition_boundary b
                   where b.id = arrangement_at.boundary and state_since(b.state, today_as_of()) is not null limit 1), '');
