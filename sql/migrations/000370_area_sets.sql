-- Area sets: areas of an organization's own. Each version of a set is an arrangement of its own, in tables that no
-- statement about official boundaries reads; only a transaction that sets its search path to a schema of views, made
-- below, and names the versions that its caller may read, sees them beside or instead of the official ones.
alter table plan
  add column area_sets integer check (area_sets >= 0),        -- sets of an organization; null: unlimited
  add column set_areas bigint check (set_areas >= 0),         -- areas in all versions of all of its sets
  add column set_vertices bigint check (set_vertices >= 0);   -- vertices of them
update plan set area_sets = 0, set_areas = 0, set_vertices = 0 where id like 'anonymous%';
update plan set area_sets = 3, set_areas = 2000, set_vertices = 500000 where id = 'free';
update plan set area_sets = 50, set_areas = 100000, set_vertices = 20000000 where id = 'pro';
update plan set area_sets = 500, set_areas = 1000000, set_vertices = 200000000 where id = 'business';

create table area_set (
  id text primary key,                 -- set_ + ULID
  org text not null references org on delete cascade,
  creator text references account on delete set null,
  name text not null check (name ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'), -- in ids of areas: set:NAME/CODE
  title text not null,
  visibility text not null check (visibility in ('org', 'restricted')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (org, name),
  unique (id, org)
);
create index area_set_creator on area_set (creator);

create table area_set_version (
  id bigint generated always as identity primary key,
  area_set text not null references area_set on delete cascade,
  valid_from date not null,
  made_from text not null,             -- file, groups or saved_file
  attribution text not null,
  areas integer not null,
  vertices bigint not null,
  report jsonb not null,               -- what was left out, cleaned and found when it was made
  recorded_at timestamptz not null default now(),
  unique (area_set, valid_from)
);

-- As file_share: to a team or to a member of the set's organization.
create table area_set_share (
  id text primary key,                 -- shr_ + ULID
  area_set text not null,
  org text not null,
  team text,
  account text,
  access text not null check (access in ('read', 'write', 'admin')),
  created_at timestamptz not null default now(),
  check ((team is null) <> (account is null)),
  unique (area_set, team),
  unique (area_set, account),
  foreign key (area_set, org) references area_set (id, org) on delete cascade,
  foreign key (team, org) references team (id, org) on delete cascade,
  foreign key (org, account) references membership on delete cascade
);
create index area_set_share_team on area_set_share (team, org);
create index area_set_share_account on area_set_share (org, account);

create table set_arc (like arc including storage, version bigint not null references area_set_version on delete cascade,
                      primary key (id));
alter table set_arc drop column reach, drop column reach_box, drop column arrangement;
create index set_arc_version on set_arc (version);
create index set_arc_box on set_arc using gist (box);
create table set_conflict (like arc_conflict, version bigint not null references area_set_version on delete cascade,
                           primary key (a, b));
create index set_conflict_b on set_conflict (b);
create index set_conflict_version on set_conflict (version);

create table set_boundary (like boundary including defaults,
                           version_id bigint not null references area_set_version on delete cascade,
                           primary key (version_id, id));
create index set_boundary_code on set_boundary (version_id, source_id collate "C");
create table set_shape (like boundary_shape including storage,
                        version_id bigint not null references area_set_version on delete cascade,
                        primary key (version_id, boundary_id));
create index set_shape_arcs on set_shape using gin (arc_ids) with (fastupdate = off);
create index set_shape_geom on set_shape using gist (geom);
create table set_name (like boundary_name, version_id bigint not null references area_set_version on delete cascade);
create index set_name_boundary on set_name (version_id, boundary_id);
create index set_name_prefix on set_name (version_id, folded text_pattern_ops);
create index set_name_trigram on set_name using gin (ascii gin_trgm_ops) where ascii is not null;

-- What a transaction reads: versions of sets, and whether official boundaries as well.
create function read_versions() returns bigint[] language sql stable
  return string_to_array(current_setting('boundary.set_versions'), ',')::bigint[];
create function reads_official() returns boolean language sql stable
  return current_setting('boundary.official') = 'yes';

create view set_source as
select 'set:' || s.name as id, s.title as name, v.id as version, v.attribution, v.recorded_at
from area_set_version v
join area_set s on s.id = v.area_set
where v.id = any (read_versions());

-- Two schemas of views with the names of the tables: official boundaries as they are today, or as of a date, with those
-- of sets beside them. boundary_land and shape_apart are those of the official ones.
do $$
declare
  own text := current_schema();
  base text;
  named text;
  one text;
  part record;
  cols text;
  vals text;
begin
  foreach base in array array[own, own || '_as_of'] loop
    named := base || '_sets';
    execute format('create schema if not exists %I', named);
    for part in
      select * from (values
        ('boundary', 'set_boundary', 'version_id'), ('boundary_shape', 'set_shape', 'version_id'),
        ('boundary_name', 'set_name', 'version_id'), ('arc', 'set_arc', 'version'),
        ('arc_conflict', 'set_conflict', 'version')) as t (tab, theirs, col)
    loop
      select string_agg(quote_ident(a.attname), ', ' order by a.attnum),
             string_agg(case when exists (select from pg_attribute x
                                          where x.attrelid = format('%I.%I', own, part.theirs)::regclass
                                            and x.attname = a.attname and not x.attisdropped)
                             then quote_ident(a.attname)
                             when a.atttypid = 'bytea'::regtype then $q$''::bytea$q$
                             when a.atttypid = 'smallint'::regtype then '0::smallint'
                             else 'null::' || format_type(a.atttypid, a.atttypmod) end, ', ' order by a.attnum)
      into cols, vals
      from pg_attribute a
      where a.attrelid = format('%I.%I', base, part.tab)::regclass and a.attnum > 0 and not a.attisdropped;
      -- All rows of both with the condition on top, so that a join looks rows of either up by their indexes.
      execute format('create view %I.%I as select %s from (select %s, null::bigint as of_version from %I.%I '
                     'union all select %s, %I from %I.%I) u '
                     'where case when of_version is null then %I.reads_official() else of_version = any (%I.read_versions()) end',
                     named, part.tab, cols, cols, base, part.tab, vals, part.col, own, part.theirs, own, own);
    end loop;
    execute format('create view %I.boundary_parent as select * from %I.boundary_parent where %I.reads_official()',
                   named, base, own);
    foreach one in array array['boundary_alias'] loop
      execute format('create view %I.%I as select * from %I.%I where %I.reads_official()', named, one, own, one, own);
    end loop;
    foreach one in array array['boundary_land', 'shape_apart'] loop
      execute format('create view %I.%I as select * from %I.%I where %I.reads_official()', named, one,
                     case when base = own then own else base end, one, own);
    end loop;
    -- The columns of source that a set has; all others are null or their default.
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum),
           string_agg(case a.attname when 'id' then 'id' when 'name' then 'name' when 'licence' then $q$''::text$q$
                                     when 'attribution' then 'attribution' when 'imported_at' then 'recorded_at'
                                     else case when a.atttypid = 'boolean'::regtype then 'false'
                                               when a.attname = 'position' then '2147483647'
                                               else 'null::' || format_type(a.atttypid, a.atttypmod) end end,
                      ', ' order by a.attnum)
    into cols, vals
    from pg_attribute a
    where a.attrelid = format('%I.source', base)::regclass and a.attnum > 0 and not a.attisdropped;
    execute format('create view %I.source as select %s from %I.source where %I.reads_official() '
                   'union all select %s from %I.set_source', named, cols, base, own, vals, own);
    execute format('create function %I.arrangement_of(boundary text) returns text language sql stable '
                   'return coalesce((select ''set '' || b.version_id from %I.set_boundary b '
                   'where b.version_id = any (%I.read_versions()) and b.id = arrangement_of.boundary), '
                   '%I.arrangement_of(arrangement_of.boundary))', named, own, own, base);
    execute format('create function %I.validity_of(boundary text) returns text[] language sql stable '
                   'return %I.validity_of(validity_of.boundary)', named, base);
    execute format('grant usage on schema %I to public', named);
    execute format('grant select on all tables in schema %I to public', named);
  end loop;
end
$$;

-- The file of an area of a set is the library's, but no file of a boundary that is exported again.
alter table file drop constraint file_made;
alter table file add constraint file_made check (
  (boundary is null or made_by = 'export_boundary')
  and (boundary is null) = (version is null)
  and (boundary is null or detail is not null)
  and (recipe is null) = (input is null));
