-- States of the past as of a date, by indexes: as in 000361_edition_reads.sql and 000425_set_reads.sql, each view is all rows of
-- the tables with the conditions on top, since a part of a union that has a condition of its own is read whole.
do $$
declare
  own text := current_schema();
  pin text := current_schema() || '_pin';
  path text := current_setting('search_path');
begin
  -- Functions are those of past states.
  perform set_config('search_path', quote_ident(pin) || ', ' || path, true);
  execute format($view$
    create or replace view %1$I.boundary_at as
    select u.id, u.source, u.source_id, u.source_version,
           case when u.state is null then u.version else to_char(state_since(u.state, (select today_as_of())), 'YYYYMMDD')::integer
           end as version,
           case when u.state is null then u.imported_at else state_since(u.state, (select today_as_of()))::timestamp at time zone 'UTC'
           end as imported_at,
           u.type, u.name, u.names, u.kind, u.kind_given, u.admin_level, u.country, u.countries, u.disputed,
           u.country_given, u.country_code, u.iso, u.wikidata, u.population, u.tags, u.place, u.subareas, u.other_names,
           u.codes, u.ways, u.west, u.south, u.east, u.north, u.lat, u.lon, u.area_km2, u.has_geometry, u.broken,
           u.stale, u.geometry_hash,
           case when u.state is null then u.ring_hash
                else (select sha256(s.hash || convert_to(arrangement_of_layer(u.source, u.type, u.admin_level), 'UTF8'))
                      from edition_shape s where s.id = u.shape) end as ring_hash,
           u.meta_hash, u.kind_known, u.inherited, u.code_ids
    from (
      select b.state, b.shape, null::bigint as recorded_in, null::bigint as replaced_in, b.id, b.source, b.source_id,
           b.source_version, b.version, b.imported_at, b.type, b.name, b.names, b.kind, b.kind_given, b.admin_level,
           b.country, b.countries, b.disputed, b.country_given, b.country_code, b.iso, b.wikidata, b.population, b.tags,
           b.place, b.subareas, b.other_names, b.codes, b.ways, b.west, b.south, b.east, b.north, b.lat, b.lon,
           b.area_km2, b.has_geometry, b.broken, b.stale, b.geometry_hash, b.ring_hash, b.state_hash as meta_hash,
           b.kind_known, b.inherited, b.code_ids
      from edition_boundary b
      union all
      select null::bigint, null::bigint, b.recorded_in, null::bigint, b.id, b.source, b.source_id, b.source_version,
           b.version, b.imported_at, b.type, b.name, b.names, b.kind, b.kind_given, b.admin_level, b.country,
           b.countries, b.disputed, b.country_given, b.country_code, b.iso, b.wikidata, b.population, b.tags, b.place,
           b.subareas, b.other_names, b.codes, b.ways, b.west, b.south, b.east, b.north, b.lat, b.lon, b.area_km2,
           b.has_geometry, b.broken, b.stale, b.geometry_hash, sha256(b.ring_hash || 'past'), b.meta_hash, b.kind_known,
           b.inherited, b.code_ids
      from %2$I.boundary b
      union all
      select null::bigint, null::bigint, b.recorded_in, b.replaced_in, b.id, b.source, b.source_id, b.source_version,
           b.version, b.imported_at, b.type, b.name, b.names, b.kind, b.kind_given, b.admin_level, b.country,
           b.countries, b.disputed, b.country_given, b.country_code, b.iso, b.wikidata, b.population, b.tags, b.place,
           b.subareas, b.other_names, b.codes, b.ways, b.west, b.south, b.east, b.north, b.lat, b.lon, b.area_km2,
           b.has_geometry, b.broken, b.stale, b.geometry_hash, sha256(b.ring_hash || 'past'), b.meta_hash, b.kind_known,
           b.inherited, b.code_ids
      from %2$I.past_boundary b
    ) u
    where case when u.state is not null then state_since(u.state, (select today_as_of())) is not null
               when not was_recorded(u.recorded_in) or (u.replaced_in is not null and was_recorded(u.replaced_in)) then false
               else case (select today_as_of()) when 0 then false when 2 then true
                    else lasts_as_of(u.id, u.source, u.type, u.admin_level, u.imported_at) end end
  $view$, pin, own);
  execute format($view$
    create or replace view %1$I.boundary_shape_at as
    select u.boundary_id,
           case when u.state is null then u.arcs else (select s.arcs from edition_shape s where s.id = u.shape) end as arcs,
           case when u.state is null then u.ring_end
                else (select s.ring_end from edition_shape s where s.id = u.shape) end as ring_end,
           case when u.state is null then u.polygon_end
                else (select s.polygon_end from edition_shape s where s.id = u.shape) end as polygon_end,
           u.arc_ids, u.geom,
           case when u.state is null then u.largest
                else (select s.largest from edition_shape s where s.id = u.shape) end as largest
    from (
      select b.state, b.shape, null::bigint as recorded_in, null::bigint as replaced_in, b.id as boundary_id,
             null::bigint[] as arcs, null::integer[] as ring_end, null::integer[] as polygon_end, b.arc_ids, b.geom, null::integer as largest
      from edition_boundary b
      union all
      select null::bigint, null::bigint, s.recorded_in, null::bigint, s.boundary_id, s.arcs, s.ring_end, s.polygon_end,
             s.arc_ids, s.geom, s.largest
      from %2$I.boundary_shape s
      union all
      select null::bigint, null::bigint, s.recorded_in, s.replaced_in, s.boundary_id, s.arcs, s.ring_end, s.polygon_end,
             s.arc_ids, s.geom, s.largest
      from %2$I.past_boundary_shape s
    ) u
    where case when u.state is not null then u.shape is not null and state_since(u.state, (select today_as_of())) is not null
               when not was_recorded(u.recorded_in) or (u.replaced_in is not null and was_recorded(u.replaced_in)) then false
               else case (select today_as_of()) when 0 then false when 2 then true
                    else today_has_as_of(u.boundary_id) end end
  $view$, pin, own);
  execute format($view$
    create or replace view %1$I.boundary_name_at as
    select u.boundary_id, u.type, u.lang, u.folded, u.ascii, u.weight
    from (
      select n.state, null::bigint as recorded_in, null::bigint as replaced_in, n.boundary_id, n.type, n.lang, n.folded, n.ascii,
             n.weight
      from edition_name n
      union all
      select null::bigint, n.recorded_in, null::bigint, n.boundary_id, n.type, n.lang, n.folded, n.ascii, n.weight
      from %2$I.boundary_name n
      union all
      select null::bigint, n.recorded_in, n.replaced_in, n.boundary_id, n.type, n.lang, n.folded, n.ascii, n.weight
      from %2$I.past_boundary_name n
    ) u
    where case when u.state is not null then state_since(u.state, (select today_as_of())) is not null
               when not was_recorded(u.recorded_in) or (u.replaced_in is not null and was_recorded(u.replaced_in)) then false
               else case (select today_as_of()) when 0 then false when 2 then true
                    else today_has_as_of(u.boundary_id) end end
  $view$, pin, own);
  execute format($view$
    create or replace view %1$I.boundary_parent_at as
    select u.child, u.parent, u.share, u."position", u.derived
    from (
      select p.state, null::bigint as recorded_in, null::bigint as replaced_in, p.child, p.parent, p.share, p."position", p.derived
      from edition_parent p
      union all
      select null::bigint, p.recorded_in, null::bigint, p.child, p.parent, p.share, p."position", p.derived
      from %2$I.boundary_parent p
      union all
      select null::bigint, p.recorded_in, p.replaced_in, p.child, p.parent, p.share, p."position", p.derived
      from %2$I.past_boundary_parent p
    ) u
    where case when u.state is not null then state_since(u.state, (select today_as_of())) is not null
               when not was_recorded(u.recorded_in) or (u.replaced_in is not null and was_recorded(u.replaced_in)) then false
               else case (select today_as_of()) when 0 then false when 2 then true
                    else today_has_as_of(u.child) and today_has_as_of(u.parent) end end
  $view$, pin, own);
  execute format($view$
    create or replace view %1$I.arc_at as
    select u.id, u.hash, u.coords, u.weights, u.ends, u.exact, u.revision, u.area, u.turn, u.box, u.class, u.main,
           u.reach, u.reach_box, u.arrangement
    from (
      select a.id, a.hash, a.coords, a.weights, a.ends, a.exact, - a.revision as revision, a.area, a.turn, a.box,
             a.class, a.main, a.reach, a.reach_box, a.arrangement, a.recorded_in, null::bigint as replaced_in
      from %2$I.arc a
      union all
      select a.id, a.hash, a.coords, a.weights, a.ends, a.exact, - a.revision, a.area, a.turn, a.box, a.class, a.main,
             a.reach, a.reach_box, a.arrangement, a.recorded_in, a.replaced_in
      from %2$I.past_arc a
      union all
      select a.id, a.hash, a.coords, a.weights, a.ends, a.exact, a.revision, a.area, a.turn, a.box, a.class, a.main,
             decode('', 'hex'), null::box, 0::smallint, null::bigint, null::bigint
      from edition_arc a
    ) u
    where was_recorded(u.recorded_in) and (u.replaced_in is null or not was_recorded(u.replaced_in))
  $view$, pin, own);
  perform set_config('search_path', path, true);
end
$$;
