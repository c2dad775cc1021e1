-- Area sets by the indexes of their tables, which begin with the version: a condition on a case expression cannot use them, so
-- that a search by prefix or by spelling read the names of all organizations. Official rows have the version 0, which no set
-- has, and a part of a view is read only if its version is one that the call reads.
create function read_branches() returns bigint[] language sql stable
  return case when reads_official() then read_versions() || 0::bigint else read_versions() end;

do $$
declare
  one record;
  made text;
  changed integer := 0;
begin
  for one in
    select v.schemaname, v.viewname, pg_get_viewdef(format('%I.%I', v.schemaname, v.viewname)::regclass) as body
    from pg_views v
    where v.schemaname in (current_schema() || '_sets', current_schema() || '_as_of_sets')
  loop
    continue when one.body !~ 'of_version IS NULL';
    made := regexp_replace(one.body, 'NULL::bigint AS of_version', '0::bigint AS of_version');
    made := regexp_replace(made, 'WHERE\s+CASE\s+WHEN \((u\.)?of_version IS NULL\).*$',
                           format('WHERE u.of_version = any (%I.read_branches())', current_schema()));
    if made !~ 'read_branches' then raise exception 'the view %.% has another form', one.schemaname, one.viewname; end if;
    execute format('create or replace view %I.%I as %s', one.schemaname, one.viewname, made);
    changed := changed + 1;
  end loop;
  if changed <> 7 then raise exception '% views were changed', changed; end if;
end
$$;

do $$
declare
  named text := current_schema() || '_as_of_sets';
begin
  execute format($view$
create or replace view %I.boundary as
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
  select b.state, b.shape, 0::bigint as of_version,
         b.id, b.source, b.source_id, b.source_version, b.version, b.imported_at, b.type, b.name, b.names,
         b.kind, b.kind_given, b.admin_level, b.country, b.countries, b.disputed, b.country_given,
         b.country_code, b.iso, b.wikidata, b.population, b.tags, b.place, b.subareas, b.other_names, b.codes,
         b.ways, b.west, b.south, b.east, b.north, b.lat, b.lon, b.area_km2, b.has_geometry, b.broken,
         b.stale, b.geometry_hash, b.ring_hash, b.state_hash as meta_hash, b.kind_known, b.inherited,
         b.code_ids
  from edition_boundary b
  union all
  select null::bigint, null::bigint, 0::bigint,
         b.id, b.source, b.source_id, b.source_version, b.version, b.imported_at, b.type, b.name, b.names,
         b.kind, b.kind_given, b.admin_level, b.country, b.countries, b.disputed, b.country_given,
         b.country_code, b.iso, b.wikidata, b.population, b.tags, b.place, b.subareas, b.other_names, b.codes,
         b.ways, b.west, b.south, b.east, b.north, b.lat, b.lon, b.area_km2, b.has_geometry, b.broken,
         b.stale, b.geometry_hash, b.ring_hash, b.meta_hash, b.kind_known, b.inherited, b.code_ids
  from boundary b
  union all
  select null::bigint, null::bigint, b.version_id,
         b.id, b.source, b.source_id, b.source_version, b.version, b.imported_at, b.type, b.name, b.names,
         b.kind, b.kind_given, b.admin_level, b.country, b.countries, b.disputed, b.country_given,
         b.country_code, b.iso, b.wikidata, b.population, b.tags, b.place, b.subareas, b.other_names, b.codes,
         b.ways, b.west, b.south, b.east, b.north, b.lat, b.lon, b.area_km2, b.has_geometry, b.broken,
         b.stale, b.geometry_hash, b.ring_hash, b.meta_hash, b.kind_known, b.inherited, b.code_ids
  from set_boundary b
) u
where u.of_version = any (read_branches())
  and case when u.of_version <> 0 then true
           when u.state is null then case (select today_as_of()) when 0 then false when 2 then true else lasts_as_of(u.id, u.source, u.type, u.admin_level, u.imported_at) end
           else state_since(u.state, (select today_as_of())) is not null end
$view$, named);

  execute format($view$
create or replace view %I.boundary_shape as
select u.boundary_id,
       case when u.state is null then u.arcs else (select s.arcs from edition_shape s where s.id = u.shape) end as arcs,
       case when u.state is null then u.ring_end else (select s.ring_end from edition_shape s where s.id = u.shape) end as ring_end,
       case when u.state is null then u.polygon_end
            else (select s.polygon_end from edition_shape s where s.id = u.shape) end as polygon_end,
       u.arc_ids, u.geom,
       case when u.state is null then u.largest else (select s.largest from edition_shape s where s.id = u.shape) end as largest
from (
  select b.state, b.shape, 0::bigint as of_version, b.id as boundary_id, null::bigint[] as arcs,
         null::integer[] as ring_end, null::integer[] as polygon_end, b.arc_ids, b.geom, null::integer as largest
  from edition_boundary b
  union all
  select null::bigint, null::bigint, 0::bigint, s.boundary_id, s.arcs, s.ring_end, s.polygon_end, s.arc_ids, s.geom, s.largest
  from boundary_shape s
  union all
  select null::bigint, null::bigint, s.version_id, s.boundary_id, s.arcs, s.ring_end, s.polygon_end, s.arc_ids, s.geom, s.largest
  from set_shape s
) u
where u.of_version = any (read_branches())
  and case when u.of_version <> 0 then true
           when u.state is null then case (select today_as_of()) when 0 then false when 2 then true else today_has_as_of(u.boundary_id) end
           else u.shape is not null and state_since(u.state, (select today_as_of())) is not null end
$view$, named);

  execute format($view$
create or replace view %I.boundary_name as
select u.boundary_id, u.type, u.lang, u.folded, u.ascii, u.weight
from (
  select n.state, 0::bigint as of_version, n.boundary_id, n.type, n.lang, n.folded, n.ascii, n.weight from edition_name n
  union all
  select null::bigint, 0::bigint, n.boundary_id, n.type, n.lang, n.folded, n.ascii, n.weight from boundary_name n
  union all
  select null::bigint, n.version_id, n.boundary_id, n.type, n.lang, n.folded, n.ascii, n.weight from set_name n
) u
where u.of_version = any (read_branches())
  and case when u.of_version <> 0 then true
           when u.state is null then case (select today_as_of()) when 0 then false when 2 then true else today_has_as_of(u.boundary_id) end
           else state_since(u.state, (select today_as_of())) is not null end
$view$, named);
end
$$;
