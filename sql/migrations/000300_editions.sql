-- Editions: boundaries as a file of a date has them, beside those of today, which they never change. What editions have
-- in common is stored once: arcs and shapes by their content, and a boundary by all that is said of it.
create table edition (
  id bigint generated always as identity primary key,
  source text not null,
  valid_from date not null,
  file text not null,
  recorded_at timestamptz not null default now(),
  unique (source, valid_from)
);

-- Description of a source that has editions; boundaries of today may have the same source, described in source.
create table edition_source (like source including defaults, primary key (id));

create table edition_arc (like arc including storage, primary key (id), unique (hash));
-- Each edition is an arrangement of its own, named by arrangement_at, which no later change reads or touches.
alter table edition_arc drop column reach, drop column reach_box, drop column arrangement;
alter table edition_arc add column arc_hash bytea not null;   -- hash of the vertices alone; hash: of the tiers as well
create index edition_arc_box on edition_arc using gist (box);
create table edition_conflict (like arc_conflict, primary key (a, b));
create index edition_conflict_b on edition_conflict (b);

create table edition_shape (
  id bigint generated always as identity primary key,
  hash bytea not null unique,
  like boundary_shape including storage
);
alter table edition_shape drop column boundary_id;
create index edition_shape_arcs on edition_shape using gin (arc_ids) with (fastupdate = off);
create index edition_shape_geom on edition_shape using gist (geom);

-- One row for each state of a boundary, whatever editions have it.
create table edition_boundary (
  state bigint generated always as identity primary key,
  state_hash bytea not null unique,
  shape bigint references edition_shape,
  like boundary including defaults
);
create index edition_boundary_id on edition_boundary (id);
create index edition_boundary_shape on edition_boundary (shape);
create index edition_boundary_source on edition_boundary (source, source_id);
create index edition_boundary_wikidata on edition_boundary (wikidata) where wikidata is not null;
create index edition_boundary_iso on edition_boundary (iso) where iso is not null;
create index edition_boundary_country_code on edition_boundary (country_code) where country_code is not null;
create index edition_boundary_codes on edition_boundary using gin (code_keys(code_ids)) where code_ids is not null;
create table edition_name (like boundary_name, state bigint not null references edition_boundary on delete cascade);
create index edition_name_state on edition_name (state);
create index edition_name_prefix on edition_name (folded text_pattern_ops);
create index edition_name_trigram on edition_name using gin (ascii gin_trgm_ops) where ascii is not null;
create table edition_parent (like boundary_parent, state bigint not null references edition_boundary on delete cascade);
create index edition_parent_state on edition_parent (state);
create index edition_parent_parent on edition_parent (parent);

create table edition_member (
  edition bigint not null references edition on delete cascade,
  state bigint not null references edition_boundary,
  primary key (edition, state)
);
create index edition_member_state on edition_member (state);

-- What the tiers of an arc depend on in an edition, for a further file of it.
create table edition_reach (
  edition bigint not null references edition on delete cascade,
  arc bigint not null references edition_arc,
  reach bytea not null,
  reach_box box not null,
  primary key (edition, arc)
);
create index edition_reach_arc on edition_reach (arc);

-- The types and levels that an edition has, each with its number of boundaries.
create table edition_layer (
  edition bigint not null references edition on delete cascade,
  type text not null,
  admin_level smallint,
  boundaries integer not null
);
create index edition_layer_edition on edition_layer (edition);

-- When a state was in force, worked out from the editions of its source: from the first that has it until the next of
-- its type and level that does not. recorded_to: when the service learned otherwise; null: it is so as far as is known.
create table edition_interval (
  state bigint not null references edition_boundary,
  boundary_id text not null,
  source text not null,
  valid_from date not null,
  valid_to date check (valid_to > valid_from),
  recorded_from timestamptz not null default now(),
  recorded_to timestamptz
);
create unique index edition_interval_current on edition_interval (state, valid_from) where recorded_to is null;
create index edition_interval_boundary on edition_interval (boundary_id);
create index edition_interval_state on edition_interval (state);
create index edition_interval_source on edition_interval (source) where recorded_to is null;
create trigger edition_data_changed after insert or update or delete or truncate on edition_interval
  for each statement execute function data_changed();

-- The date that a transaction reads as of: until its end, in UTC.
create function as_of_date() returns date language sql stable
  return current_setting('boundary.as_of')::date;
create function day_of(at timestamptz) returns date language sql immutable
  return (at at time zone 'UTC')::date;

-- When each boundary of today is in force: from its import until the next edition that has its source, type and level,
-- or its id. Editions are whole layers, so that one ends what it does not have; an import without a date ends nothing.
create view boundary_today_span as
select b.id, day_of(b.imported_at) as valid_from,
       least((select min(e.valid_from)
              from edition e
              join edition_layer l on l.edition = e.id
              where e.source = b.source and e.valid_from > day_of(b.imported_at)
                and l.type = b.type and l.admin_level is not distinct from b.admin_level),
             (select min(i.valid_from)
              from edition_interval i
              where i.boundary_id = b.id and i.recorded_to is null and i.valid_from > day_of(b.imported_at))) as valid_to
from boundary b;

-- Boundaries of today in force on that date.
create view boundary_today_at as
select id from boundary_today_span where valid_from <= as_of_date() and (valid_to is null or valid_to > as_of_date());

-- States of editions in force on that date: the boundary of today of the same id, where it is in force, counts instead.
create view edition_state_at as
select i.state, i.boundary_id, i.source, i.valid_from
from edition_interval i
where i.recorded_to is null and i.valid_from <= as_of_date() and (i.valid_to is null or i.valid_to > as_of_date())
  and not exists (select from boundary_today_at t where t.id = i.boundary_id);

-- When each state was in force, those of editions and that of today (state: null).
create view boundary_state_span as
select i.state, i.boundary_id, v.valid_from, v.valid_to, i.recorded_from as recorded_at
from edition_interval i
left join boundary_today_span t on t.id = i.boundary_id
cross join lateral (values (i.valid_from, least(i.valid_to, t.valid_from), true),
                           (greatest(i.valid_from, t.valid_to), i.valid_to, t.valid_to is not null)
                   ) as v (valid_from, valid_to, applies)
where i.recorded_to is null and v.applies and (v.valid_to is null or v.valid_from < v.valid_to)
union all
select null, t.id, t.valid_from, t.valid_to, b.imported_at
from boundary_today_span t
join boundary b on b.id = t.id;

-- Which arrangement the arcs of a boundary are of: '' for today, and else the edition in force of its source, type and
-- level. Crossings are recorded only among the arcs of one arrangement, so it is part of what names a shape.
create function arrangement_of_layer(source text, type text, admin_level smallint) returns text language sql stable
  return arrangement_of_layer.source || ' ' || (
    select max(e.valid_from)
    from edition e
    join edition_layer l on l.edition = e.id
    where e.source = arrangement_of_layer.source and e.valid_from <= as_of_date()
      and l.type = arrangement_of_layer.type and l.admin_level is not distinct from arrangement_of_layer.admin_level);

create view boundary_at as
select b.id, b.source, b.source_id, b.source_version, to_char(i.valid_from, 'YYYYMMDD')::integer as version,
       i.valid_from::timestamp at time zone 'UTC' as imported_at, b.type, b.name, b.names, b.kind,
       b.kind_given, b.admin_level, b.country, b.countries, b.disputed, b.country_given, b.country_code,
       b.iso, b.wikidata, b.population, b.tags, b.place, b.subareas, b.other_names, b.codes, b.ways, b.west,
       b.south, b.east, b.north, b.lat, b.lon, b.area_km2, b.has_geometry, b.broken, b.stale, b.geometry_hash,
       sha256(s.hash || convert_to(arrangement_of_layer(i.source, b.type, b.admin_level), 'UTF8')) as ring_hash, b.state_hash as meta_hash, b.kind_known, b.inherited, b.code_ids
from edition_state_at i
join edition_boundary b on b.state = i.state
left join edition_shape s on s.id = b.shape
union all
select b.id, b.source, b.source_id, b.source_version, b.version, b.imported_at, b.type, b.name, b.names,
       b.kind, b.kind_given, b.admin_level, b.country, b.countries, b.disputed, b.country_given,
       b.country_code, b.iso, b.wikidata, b.population, b.tags, b.place, b.subareas, b.other_names, b.codes,
       b.ways, b.west, b.south, b.east, b.north, b.lat, b.lon, b.area_km2, b.has_geometry, b.broken, b.stale,
       b.geometry_hash, b.ring_hash, b.meta_hash, b.kind_known, b.inherited, b.code_ids
from boundary_today_at t
join boundary b on b.id = t.id;

create view boundary_shape_at as
select i.boundary_id, s.arcs, s.ring_end, s.polygon_end, s.arc_ids, s.geom, s.largest
from edition_state_at i
join edition_boundary b on b.state = i.state
join edition_shape s on s.id = b.shape
union all
select s.boundary_id, s.arcs, s.ring_end, s.polygon_end, s.arc_ids, s.geom, s.largest
from boundary_today_at t
join boundary_shape s on s.boundary_id = t.id;

create view boundary_name_at as
select n.boundary_id, n.type, n.lang, n.folded, n.ascii, n.weight
from edition_state_at i
join edition_name n on n.state = i.state
union all
select n.boundary_id, n.type, n.lang, n.folded, n.ascii, n.weight
from boundary_today_at t
join boundary_name n on n.boundary_id = t.id;

create view boundary_parent_at as
select p.child, p.parent, p.share, p."position", p.derived
from edition_state_at i
join edition_parent p on p.state = i.state
union all
select p.child, p.parent, p.share, p."position", p.derived
from boundary_today_at t
join boundary_parent p on p.child = t.id
join boundary_today_at u on u.id = p.parent;

-- Arcs have ids of one sequence, whether an edition has them or today.
create view arc_at as
select id, hash, coords, weights, ends, exact, revision, area, turn, box, class, main, reach, reach_box, arrangement
from arc
union all
select id, hash, coords, weights, ends, exact, revision, area, turn, box, class, main, decode('', 'hex'), null::box, 0::smallint
from edition_arc;
create view arc_conflict_at as
select a, b, kind, x, y from arc_conflict
union all
select a, b, kind, x, y from edition_conflict;

create view source_at as
select * from source
union all
select * from edition_source e where not exists (select from source s where s.id = e.id);

-- The same of a boundary.
create function arrangement_at(boundary text) returns text language sql stable
  return coalesce((select arrangement_of_layer(i.source, b.type, b.admin_level)
                   from edition_state_at i
                   join edition_boundary b on b.state = i.state
                   where i.boundary_id = arrangement_at.boundary limit 1), '');
create function arrangement_of(boundary text) returns text language sql immutable
  return '';

-- When the state of a boundary that is in force on the date became so and ended (null: not yet); null of today.
create function validity_at(boundary text) returns text[] language sql stable
  return (select array[v.valid_from::text, v.valid_to::text]
          from boundary_state_span v
          where v.boundary_id = validity_at.boundary and v.valid_from <= as_of_date()
            and (v.valid_to is null or v.valid_to > as_of_date())
          limit 1);
create function validity_of(boundary text) returns text[] language sql immutable
  return null::text[];

-- The intervals of all states, as the editions have them.
create view edition_interval_computed as
with layer as (
  select l.edition, e.source, l.type, l.admin_level, e.valid_from,
         row_number() over w as number, lead(e.valid_from) over w as next_from
  from edition_layer l
  join edition e on e.id = l.edition
  window w as (partition by e.source, l.type, l.admin_level order by e.valid_from)
), present as (
  select m.state, b.id as boundary_id, l.source, l.valid_from, l.next_from, l.number,
         l.number - row_number() over (partition by m.state order by l.number) as run
  from edition_member m
  join edition_boundary b on b.state = m.state
  join layer l on l.edition = m.edition and l.type = b.type and l.admin_level is not distinct from b.admin_level
)
select state, boundary_id, source, min(valid_from) as valid_from,
       (array_agg(next_from order by number desc))[1] as valid_to
from present
group by state, boundary_id, source, run;

-- What names content: an arc with its tiers, and a shape.
create function edition_arc_hash(
  coords bytea, weights bytea, ends bytea, exact integer, class smallint, main boolean
) returns bytea language sql immutable
  return sha256(coords || weights || ends || int4send(exact) || int2send(class) || boolsend(main));
create function edition_shape_hash(arcs bigint[], ring_end integer[], polygon_end integer[]) returns bytea
language sql immutable
  return sha256(array_send(arcs) || array_send(ring_end) || array_send(polygon_end));

-- Drafts of an edition that is being stored: always empty, as a transaction that stores one has tables of its own that
-- hide these.
create unlogged table edition_arc_draft (id bigint primary key, saved bigint not null);
create unlogged table edition_draft (boundary_id text primary key, arcs bigint[], shape_hash bytea, state_hash bytea not null);

-- A schema that hides the tables of today behind those views: with it first in the search path, every statement reads as
-- of a date.
do $$
declare
  own text := current_schema();
  past text := current_schema() || '_as_of';
  one text;
begin
  -- It may be left from a schema that was dropped.
  execute format('create schema if not exists %I', past);
  foreach one in array array['boundary', 'boundary_shape', 'boundary_name', 'boundary_parent', 'arc', 'arc_conflict', 'source'] loop
    execute format('create view %I.%I as select * from %I.%I', past, one, own, one || '_at');
  end loop;
  -- Land and water are known only of today.
  foreach one in array array['boundary_land', 'shape_apart'] loop
    execute format('create view %I.%I as select * from %I.%I where false', past, one, own, one);
  end loop;
  execute format('create function %I.arrangement_of(boundary text) returns text language sql stable '
                 'return %I.arrangement_at(arrangement_of.boundary)', past, own);
  execute format('create function %I.validity_of(boundary text) returns text[] language sql stable '
                 'return %I.validity_at(validity_of.boundary)', past, own);
  execute format('grant usage on schema %I to public', past);
  execute format('grant select on all tables in schema %I to public', past);
end
$$;
