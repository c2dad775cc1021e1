-- The schema that the migrations make, by test/setup/dump_schema.ts; not to be edited.

CREATE SCHEMA public_as_of;

CREATE SCHEMA public_as_of_sets;

CREATE SCHEMA public_pin;

CREATE SCHEMA public_pin_as_of;

CREATE SCHEMA public_sets;

CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

CREATE EXTENSION IF NOT EXISTS postgis WITH SCHEMA public;

CREATE FUNCTION public.as_of_date() RETURNS date
    LANGUAGE sql STABLE
    RETURN (current_setting('boundary.as_of'::text))::date;

CREATE TABLE public.edition (
    id bigint NOT NULL,
    source text NOT NULL,
    valid_from date NOT NULL,
    file text NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    recorded_in bigint
);

CREATE TABLE public.edition_layer (
    edition bigint NOT NULL,
    type text NOT NULL,
    admin_level smallint,
    boundaries integer NOT NULL,
    recorded_in bigint
);

CREATE FUNCTION public.arrangement_of_layer(source text, type text, admin_level smallint) RETURNS text
    LANGUAGE sql STABLE
    RETURN ((source || ' '::text) || (SELECT max(e.valid_from) AS max FROM (public.edition e JOIN public.edition_layer l ON ((l.edition = e.id))) WHERE ((e.source = arrangement_of_layer.source) AND (e.valid_from <= public.as_of_date()) AND (l.type = arrangement_of_layer.type) AND (NOT (l.admin_level IS DISTINCT FROM arrangement_of_layer.admin_level)))));

CREATE FUNCTION public.as_of_end() RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    RETURN (((public.as_of_date() + 1))::timestamp without time zone AT TIME ZONE 'UTC'::text);

CREATE FUNCTION public.day_of(at timestamp with time zone) RETURNS date
    LANGUAGE sql IMMUTABLE
    RETURN ((at AT TIME ZONE 'UTC'::text))::date;

CREATE TABLE public.edition_interval (
    state bigint NOT NULL,
    boundary_id text NOT NULL,
    source text NOT NULL,
    valid_from date NOT NULL,
    valid_to date,
    recorded_from timestamp with time zone DEFAULT now() NOT NULL,
    recorded_to timestamp with time zone,
    recorded_in bigint,
    CONSTRAINT edition_interval_check CHECK ((valid_to > valid_from))
);

CREATE FUNCTION public.lasts_as_of(id text, source text, type text, admin_level smallint, imported_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE COST 1000
    RETURN ((imported_at < public.as_of_end()) AND (NOT (EXISTS (SELECT FROM public.edition e WHERE ((e.source = lasts_as_of.source) AND (e.valid_from > public.day_of(lasts_as_of.imported_at)) AND (e.valid_from <= public.as_of_date()) AND (EXISTS (SELECT FROM public.edition_layer l WHERE ((l.edition = e.id) AND (l.type = lasts_as_of.type) AND (NOT (l.admin_level IS DISTINCT FROM lasts_as_of.admin_level))))))))) AND (NOT (EXISTS (SELECT FROM public.edition_interval i WHERE ((i.boundary_id = lasts_as_of.id) AND (i.recorded_to IS NULL) AND (i.valid_from > public.day_of(lasts_as_of.imported_at)) AND (i.valid_from <= public.as_of_date()))))));

CREATE TABLE public.boundary (
    id text NOT NULL,
    source text NOT NULL,
    source_id text NOT NULL,
    source_version text NOT NULL,
    version integer NOT NULL,
    imported_at timestamp with time zone DEFAULT now() NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    names jsonb NOT NULL,
    kind text NOT NULL,
    kind_given text,
    admin_level smallint,
    country text,
    countries text[] NOT NULL,
    disputed boolean DEFAULT false NOT NULL,
    country_given text,
    country_code text,
    iso text,
    wikidata text,
    population bigint,
    tags jsonb NOT NULL,
    place text,
    subareas text[] NOT NULL,
    other_names jsonb NOT NULL,
    codes text[] NOT NULL,
    ways bigint[] NOT NULL,
    west integer,
    south integer,
    east integer,
    north integer,
    lat integer,
    lon integer,
    area_km2 double precision,
    has_geometry boolean NOT NULL,
    broken jsonb,
    stale jsonb,
    geometry_hash bytea,
    ring_hash bytea,
    meta_hash bytea NOT NULL,
    kind_known boolean DEFAULT true NOT NULL,
    inherited jsonb,
    code_ids text[],
    recorded_in bigint,
    CONSTRAINT boundary_type_check CHECK ((type = ANY (ARRAY['administrative'::text, 'postal_code'::text])))
);

CREATE FUNCTION public.today_has_as_of(id text) RETURNS boolean
    LANGUAGE sql STABLE COST 1000
    RETURN COALESCE((SELECT public.lasts_as_of(b.id, b.source, b.type, b.admin_level, b.imported_at) AS lasts_as_of FROM public.boundary b WHERE (b.id = today_has_as_of.id)), false);

CREATE FUNCTION public.state_since(state bigint, today integer) RETURNS date
    LANGUAGE sql STABLE COST 1000
    RETURN (SELECT i.valid_from FROM public.edition_interval i WHERE ((i.state = state_since.state) AND (i.recorded_to IS NULL) AND (i.valid_from <= public.as_of_date()) AND ((i.valid_to IS NULL) OR (i.valid_to > public.as_of_date())) AND ((state_since.today = 0) OR (NOT public.today_has_as_of(i.boundary_id)))) LIMIT 1);

CREATE FUNCTION public.today_as_of() RETURNS integer
    LANGUAGE sql STABLE
    RETURN CASE WHEN (NOT (EXISTS (SELECT FROM public.boundary b WHERE (b.imported_at < public.as_of_end())))) THEN 0 WHEN (EXISTS (SELECT FROM public.boundary b WHERE (b.imported_at >= public.as_of_end()))) THEN 1 WHEN (EXISTS (SELECT FROM public.edition e WHERE ((e.valid_from <= public.as_of_date()) AND (e.valid_from > (SELECT public.day_of(min(b.imported_at)) AS day_of FROM public.boundary b))))) THEN 1 ELSE 2 END;

CREATE TABLE public.edition_boundary (
    state bigint NOT NULL,
    state_hash bytea NOT NULL,
    shape bigint,
    id text NOT NULL,
    source text NOT NULL,
    source_id text NOT NULL,
    source_version text NOT NULL,
    version integer NOT NULL,
    imported_at timestamp with time zone DEFAULT now() NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    names jsonb NOT NULL,
    kind text NOT NULL,
    kind_given text,
    admin_level smallint,
    country text,
    countries text[] NOT NULL,
    disputed boolean DEFAULT false NOT NULL,
    country_given text,
    country_code text,
    iso text,
    wikidata text,
    population bigint,
    tags jsonb NOT NULL,
    place text,
    subareas text[] NOT NULL,
    other_names jsonb NOT NULL,
    codes text[] NOT NULL,
    ways bigint[] NOT NULL,
    west integer,
    south integer,
    east integer,
    north integer,
    lat integer,
    lon integer,
    area_km2 double precision,
    has_geometry boolean NOT NULL,
    broken jsonb,
    stale jsonb,
    geometry_hash bytea,
    ring_hash bytea,
    meta_hash bytea NOT NULL,
    kind_known boolean DEFAULT true NOT NULL,
    inherited jsonb,
    code_ids text[],
    geom public.geometry(MultiPolygon,4326),
    arc_ids bigint[]
);

CREATE FUNCTION public.arrangement_at(boundary text) RETURNS text
    LANGUAGE sql STABLE
    RETURN COALESCE((SELECT public.arrangement_of_layer(b.source, b.type, b.admin_level) AS arrangement_of_layer FROM public.edition_boundary b WHERE ((b.id = arrangement_at.boundary) AND (public.state_since(b.state, public.today_as_of()) IS NOT NULL)) LIMIT 1), ''::text);

CREATE FUNCTION public.arrangement_of(boundary text) RETURNS text
    LANGUAGE sql IMMUTABLE
    RETURN ''::text;

CREATE FUNCTION public.audit_log_is_final() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'entries of the audit log are never changed';
end
$$;

CREATE FUNCTION public.boundaries_removed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  own bigint;
begin
  if not exists (select from removed) then
    return null;
  end if;
  own := current_batch();
  insert into data_event (batch, boundary_id, before)
  select own, r.id, boundary_facts(r) || '{"parents": []}'::jsonb from removed r
  on conflict (batch, boundary_id) do update
  set after = null, before = data_event.before || '{"parents": []}'::jsonb;
  return null;
end
$$;

CREATE FUNCTION public.boundary_added() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  own bigint;
begin
  if not exists (select from added) then
    return null;
  end if;
  own := current_batch();
  insert into data_event (batch, boundary_id, after)
  select own, n.id, boundary_facts(n) from added n
  on conflict (batch, boundary_id) do update set after = excluded.after;
  return null;
end
$$;

CREATE FUNCTION public.boundary_edited() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  own bigint;
begin
  if not exists (select from replaced o join added n on n.id = o.id
                 where (o.name, o.admin_level, o.code_ids, o.geometry_hash)
                       is distinct from (n.name, n.admin_level, n.code_ids, n.geometry_hash)) then
    return null;
  end if;
  own := current_batch();
  insert into data_event (batch, boundary_id, before, after)
  select own, n.id, boundary_facts(o), boundary_facts(n)
  from replaced o
  join added n on n.id = o.id
  where (o.name, o.admin_level, o.code_ids, o.geometry_hash)
        is distinct from (n.name, n.admin_level, n.code_ids, n.geometry_hash)
  on conflict (batch, boundary_id) do update set after = excluded.after;
  return null;
end
$$;

CREATE FUNCTION public.boundary_facts(b public.boundary) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    RETURN jsonb_build_object('name', (b).name, 'admin_level', (b).admin_level, 'codes', (b).code_ids, 'km2', (b).area_km2, 'shape', encode((b).geometry_hash, 'hex'::text), 'country', (b).country);

CREATE FUNCTION public.boundary_parents_removed() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_nestloop TO 'off'
    AS $$
declare
  own bigint;
begin
  select id into own from data_batch where transaction = pg_current_xact_id() and started_at = transaction_timestamp();
  if own is null then
    return null;
  end if;
  update data_event e
  set before = e.before || jsonb_build_object('parents', p.parents)
  from (select child, jsonb_agg(parent) as parents from removed group by child) p
  where e.batch = own and e.boundary_id = p.child and e.after is null and e.before is not null;
  return null;
end
$$;

CREATE FUNCTION public.callers_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  perform pg_notify('boundary_callers', '');
  return null;
end
$$;

CREATE FUNCTION public.code_keys(code_ids text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (SELECT (array_agg(lower(u.c)) || array_agg(DISTINCT (lower(split_part(u.c, ':'::text, 1)) || ':'::text))) FROM unnest(code_keys.code_ids) u(c));

CREATE FUNCTION public.current_batch() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
  found bigint;
begin
  insert into data_batch (transaction, started_at, recorded_in)
  values (pg_current_xact_id(), transaction_timestamp(), data_recording())
  on conflict (transaction, started_at) do nothing;
  select id into found from data_batch where transaction = pg_current_xact_id() and started_at = transaction_timestamp();
  return found;
end
$$;

CREATE FUNCTION public.data_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into data_change values (pg_current_xact_id(), transaction_timestamp()) on conflict do nothing;
  perform pg_notify('boundary_data', '');
  return null;
end
$$;

CREATE FUNCTION public.data_recorded() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  last record;
begin
  perform pg_advisory_xact_lock(1650421252, 1);
  select max(at) as at, max(upto) as upto into last
  from (select at, upto from data_record where at is not null order by at desc limit 1) r;
  update data_record
  set at = greatest(date_trunc('milliseconds', clock_timestamp()), last.at) + interval '1 millisecond',
      upto = greatest(new.number, last.upto)
  where number = new.number;
  return null;
end
$$;

CREATE FUNCTION public.data_recording() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
  given bigint := nullif(current_setting('boundary.recording', true), '')::bigint;
begin
  if given is null then
    insert into data_record default values returning number into given;
    perform set_config('boundary.recording', given::text, true);
  end if;
  return given;
end
$$;

CREATE FUNCTION public.edition_arc_hash(coords bytea, weights bytea, ends bytea, exact integer, class smallint, main boolean) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    RETURN sha256((((((coords || weights) || ends) || int4send(exact)) || int2send(class)) || boolsend(main)));

CREATE FUNCTION public.edition_shape_hash(arcs bigint[], ring_end integer[], polygon_end integer[]) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    RETURN sha256(((array_send(arcs) || array_send(ring_end)) || array_send(polygon_end)));

CREATE FUNCTION public.edition_stored() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  own bigint := current_batch();
begin
  update data_batch set source = new.source, valid_from = new.valid_from where id = own;
  return null;
end
$$;

CREATE FUNCTION public.feedback_count_votes() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'INSERT' then
    update feedback_item set upvotes = upvotes + 1 where id = new.item;
  else
    update feedback_item set upvotes = upvotes - 1 where id = old.item;
  end if;
  return null;
end
$$;

CREATE FUNCTION public.file_count_entries() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'UPDATE' then
    if not exists (select from gone g join added a on a.id = g.id where a.visibility <> g.visibility) then
      return null;
    end if;
  end if;
  if tg_op <> 'INSERT' then
    update file_count c set everyone = c.everyone - g.everyone, restricted = c.restricted - g.restricted
    from (
      select org, count(*) filter (where visibility = 'org') as everyone,
             count(*) filter (where visibility = 'restricted') as restricted
      from gone group by org
    ) g
    where c.org = g.org;
  end if;
  if tg_op <> 'DELETE' then
    insert into file_count as c (org, everyone, restricted)
    select org, count(*) filter (where visibility = 'org'), count(*) filter (where visibility = 'restricted')
    from added group by org order by org
    on conflict (org) do update
    set everyone = c.everyone + excluded.everyone, restricted = c.restricted + excluded.restricted;
  end if;
  return null;
end
$$;

CREATE FUNCTION public.file_count_revise() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update file_count set revision = revision + 1 where org in (select org from changed);
  return null;
end
$$;

CREATE TABLE public.file (
    id text NOT NULL,
    org text NOT NULL,
    creator text,
    name text NOT NULL,
    boundary text,
    version integer,
    format text NOT NULL,
    detail text,
    visibility text NOT NULL,
    sha256 text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    made_by text DEFAULT 'export_boundary'::text NOT NULL,
    recipe text,
    input jsonb,
    expires_at timestamp with time zone,
    data_at timestamp with time zone,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    sets text[],
    CONSTRAINT file_detail_check CHECK ((detail = ANY (ARRAY['low'::text, 'medium'::text, 'high'::text, 'full'::text]))),
    CONSTRAINT file_made CHECK ((((boundary IS NULL) OR (made_by = 'export_boundary'::text)) AND ((boundary IS NULL) = (version IS NULL)) AND ((boundary IS NULL) OR (detail IS NOT NULL)) AND ((recipe IS NULL) = (input IS NULL)))),
    CONSTRAINT file_visibility_check CHECK ((visibility = ANY (ARRAY['org'::text, 'restricted'::text])))
);

CREATE FUNCTION public.may_read_file(f public.file, member text, everyone boolean) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select may_read_sets(f.sets, f.org, member, everyone) or f.recipe is not null and (everyone or f.creator = member)
$$;

CREATE FUNCTION public.may_read_sets(sets text[], of_org text, member text, everyone boolean) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select sets is null or not exists (
    select from unnest(sets) w (id)
    where not exists (
      select from area_set s
      where s.id = w.id and s.org = of_org
        and (everyone or s.visibility = 'org' or s.creator = member
             or exists (select from area_set_share h
                        where h.area_set = s.id
                          and (h.account = member
                               or h.team in (select t.team from team_member t where t.org = of_org and t.account = member))))
    )
  )
$$;

CREATE FUNCTION public.node_buckets(node_refs bigint[]) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT array_agg(DISTINCT (r.ref >> 5)) AS array_agg FROM unnest(node_buckets.node_refs) r(ref));

CREATE FUNCTION public.past_arc() RETURNS trigger
    LANGUAGE plpgsql
    AS $$declare number bigint := data_recording(); begin insert into past_arc (id, hash, coords, weights, ends, exact, revision, area, turn, box, class, main, reach, reach_box, arrangement, recorded_in, replaced_in) select id, hash, coords, weights, ends, exact, revision, area, turn, box, class, main, reach, reach_box, arrangement, recorded_in, number from replaced where recorded_in is distinct from number; return null; end$$;

CREATE FUNCTION public.past_arc_conflict() RETURNS trigger
    LANGUAGE plpgsql
    AS $$declare number bigint := data_recording(); begin insert into past_arc_conflict (a, b, kind, x, y, recorded_in, replaced_in) select a, b, kind, x, y, recorded_in, number from replaced where recorded_in is distinct from number; return null; end$$;

CREATE FUNCTION public.past_boundary() RETURNS trigger
    LANGUAGE plpgsql
    AS $$declare number bigint := data_recording(); begin insert into past_boundary (id, source, source_id, source_version, version, imported_at, type, name, names, kind, kind_given, admin_level, country, countries, disputed, country_given, country_code, iso, wikidata, population, tags, place, subareas, other_names, codes, ways, west, south, east, north, lat, lon, area_km2, has_geometry, broken, stale, geometry_hash, ring_hash, meta_hash, kind_known, inherited, code_ids, recorded_in, replaced_in) select id, source, source_id, source_version, version, imported_at, type, name, names, kind, kind_given, admin_level, country, countries, disputed, country_given, country_code, iso, wikidata, population, tags, place, subareas, other_names, codes, ways, west, south, east, north, lat, lon, area_km2, has_geometry, broken, stale, geometry_hash, ring_hash, meta_hash, kind_known, inherited, code_ids, recorded_in, number from replaced where recorded_in is distinct from number; return null; end$$;

CREATE FUNCTION public.past_boundary_alias() RETURNS trigger
    LANGUAGE plpgsql
    AS $$declare number bigint := data_recording(); begin insert into past_boundary_alias (id, boundary_id, recorded_in, replaced_in) select id, boundary_id, recorded_in, number from replaced where recorded_in is distinct from number; return null; end$$;

CREATE FUNCTION public.past_boundary_gone() RETURNS trigger
    LANGUAGE plpgsql
    AS $$declare number bigint := data_recording(); begin insert into past_boundary_gone (id, version, reason, gone_at, name, type, kind, admin_level, country, wikidata, iso, replaced_by, ways, recorded_in, replaced_in) select id, version, reason, gone_at, name, type, kind, admin_level, country, wikidata, iso, replaced_by, ways, recorded_in, number from replaced where recorded_in is distinct from number; return null; end$$;

CREATE FUNCTION public.past_boundary_land() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  number bigint := data_recording();
begin
  insert into past_boundary_land (boundary_id, state, land_km2, reason, lat, lon, decided_by, recorded_in, replaced_in)
  select boundary_id, state, land_km2, reason, lat, lon, decided_by, recorded_in, number
  from replaced where recorded_in is distinct from number;
  return null;
end
$$;

CREATE FUNCTION public.past_boundary_name() RETURNS trigger
    LANGUAGE plpgsql
    AS $$declare number bigint := data_recording(); begin insert into past_boundary_name (boundary_id, type, lang, folded, ascii, weight, recorded_in, replaced_in) select boundary_id, type, lang, folded, ascii, weight, recorded_in, number from replaced where recorded_in is distinct from number; return null; end$$;

CREATE FUNCTION public.past_boundary_parent() RETURNS trigger
    LANGUAGE plpgsql
    AS $$declare number bigint := data_recording(); begin insert into past_boundary_parent (child, parent, share, "position", derived, recorded_in, replaced_in) select child, parent, share, "position", derived, recorded_in, number from replaced where recorded_in is distinct from number; return null; end$$;

CREATE FUNCTION public.past_boundary_shape() RETURNS trigger
    LANGUAGE plpgsql
    AS $$declare number bigint := data_recording(); begin insert into past_boundary_shape (boundary_id, arcs, ring_end, polygon_end, arc_ids, geom, largest, recorded_in, replaced_in) select boundary_id, arcs, ring_end, polygon_end, arc_ids, geom, largest, recorded_in, number from replaced where recorded_in is distinct from number; return null; end$$;

CREATE FUNCTION public.past_edition() RETURNS trigger
    LANGUAGE plpgsql
    AS $$declare number bigint := data_recording(); begin insert into past_edition (id, source, valid_from, file, recorded_at, recorded_in, replaced_in) select id, source, valid_from, file, recorded_at, recorded_in, number from replaced where recorded_in is distinct from number; return null; end$$;

CREATE FUNCTION public.past_edition_interval() RETURNS trigger
    LANGUAGE plpgsql
    AS $$declare number bigint := data_recording(); begin insert into past_edition_interval (state, boundary_id, source, valid_from, valid_to, recorded_from, recorded_to, recorded_in, replaced_in) select state, boundary_id, source, valid_from, valid_to, recorded_from, recorded_to, recorded_in, number from replaced where recorded_in is distinct from number; return null; end$$;

CREATE FUNCTION public.past_edition_layer() RETURNS trigger
    LANGUAGE plpgsql
    AS $$declare number bigint := data_recording(); begin insert into past_edition_layer (edition, type, admin_level, boundaries, recorded_in, replaced_in) select edition, type, admin_level, boundaries, recorded_in, number from replaced where recorded_in is distinct from number; return null; end$$;

CREATE FUNCTION public.past_shape_apart() RETURNS trigger
    LANGUAGE plpgsql
    AS $$declare number bigint := data_recording(); begin insert into past_shape_apart (arrangement, boundary_id, type, admin_level, arcs, ring_end, polygon_end, arc_ids, largest, west, south, east, north, lat, lon, area_km2, geometry_hash, ring_hash, recorded_in, replaced_in) select arrangement, boundary_id, type, admin_level, arcs, ring_end, polygon_end, arc_ids, largest, west, south, east, north, lat, lon, area_km2, geometry_hash, ring_hash, recorded_in, number from replaced where recorded_in is distinct from number; return null; end$$;

CREATE FUNCTION public.past_source() RETURNS trigger
    LANGUAGE plpgsql
    AS $$declare number bigint := data_recording(); begin insert into past_source (id, name, url, licence, attribution, resolution, seed, imported_at, data_at, reference_system, accuracy_m, "position", edition, land, recorded_in, replaced_in) select id, name, url, licence, attribution, resolution, seed, imported_at, data_at, reference_system, accuracy_m, "position", edition, land, recorded_in, number from replaced where recorded_in is distinct from number; return null; end$$;

CREATE FUNCTION public.place_nodes(member_types text, member_refs bigint[], member_roles text[]) RETURNS bigint[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (SELECT array_agg(m.ref) AS array_agg FROM UNNEST(string_to_array(place_nodes.member_types, NULL::text), place_nodes.member_refs, place_nodes.member_roles) m(type, ref, role) WHERE ((m.type = 'n'::text) AND (m.role = ANY (ARRAY['label'::text, 'admin_centre'::text, 'admin_center'::text]))));

CREATE FUNCTION public.read_versions() RETURNS bigint[]
    LANGUAGE sql STABLE
    RETURN (string_to_array(current_setting('boundary.set_versions'::text), ','::text))::bigint[];

CREATE FUNCTION public.reads_official() RETURNS boolean
    LANGUAGE sql STABLE
    RETURN (current_setting('boundary.official'::text) = 'yes'::text);

CREATE FUNCTION public.read_branches() RETURNS bigint[]
    LANGUAGE sql STABLE
    RETURN CASE WHEN public.reads_official() THEN (public.read_versions() || (0)::bigint) ELSE public.read_versions() END;

CREATE FUNCTION public.row_recorded() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.recorded_in := coalesce(nullif(current_setting('boundary.recording', true), '')::bigint, data_recording());
  return new;
end
$$;

CREATE FUNCTION public.shapes_meeting(place public.geometry) RETURNS SETOF text
    LANGUAGE sql STABLE
    AS $$select s.boundary_id from public.boundary_shape s where s.geom && place$$;

CREATE FUNCTION public.unit_pool(email text) RETURNS text
    LANGUAGE sql STABLE
    RETURN ('pool_'::text || encode(sha256(convert_to(email, 'UTF8'::name)), 'hex'::text));

CREATE TABLE public.history_pruned (
    source text NOT NULL,
    valid_from date NOT NULL,
    type text NOT NULL,
    admin_level smallint,
    pruned_in bigint NOT NULL,
    again_in bigint
);

CREATE VIEW public.boundary_today_span AS
 SELECT b.id,
    public.day_of(b.imported_at) AS valid_from,
    LEAST(( SELECT min(e.valid_from) AS min
           FROM (public.edition e
             JOIN public.edition_layer l ON ((l.edition = e.id)))
          WHERE ((e.source = b.source) AND (e.valid_from > public.day_of(b.imported_at)) AND (l.type = b.type) AND (NOT (l.admin_level IS DISTINCT FROM b.admin_level)))), ( SELECT min(i.valid_from) AS min
           FROM public.edition_interval i
          WHERE ((i.boundary_id = b.id) AND (i.recorded_to IS NULL) AND (i.valid_from > public.day_of(b.imported_at)))), ( SELECT min(p.valid_from) AS min
           FROM public.history_pruned p
          WHERE ((p.source = b.source) AND (p.valid_from > public.day_of(b.imported_at)) AND (p.again_in IS NULL) AND (p.type = b.type) AND (NOT (p.admin_level IS DISTINCT FROM b.admin_level))))) AS valid_to
   FROM public.boundary b;

CREATE TABLE public.boundary_version (
    boundary_id text NOT NULL,
    version integer NOT NULL,
    source text NOT NULL,
    source_version text NOT NULL,
    imported_at timestamp with time zone NOT NULL,
    live boolean NOT NULL,
    geometry_hash bytea,
    area_km2 double precision,
    trouble jsonb,
    valid_from timestamp with time zone
);

CREATE VIEW public.boundary_state_span AS
 SELECT i.state,
    i.boundary_id,
    v.valid_from,
    v.valid_to,
    i.recorded_from AS recorded_at
   FROM ((public.edition_interval i
     LEFT JOIN public.boundary_today_span t ON ((t.id = i.boundary_id)))
     CROSS JOIN LATERAL ( VALUES (i.valid_from,LEAST(i.valid_to, t.valid_from),true), (GREATEST(i.valid_from, t.valid_to),i.valid_to,(t.valid_to IS NOT NULL))) v(valid_from, valid_to, applies))
  WHERE ((i.recorded_to IS NULL) AND v.applies AND ((v.valid_to IS NULL) OR (v.valid_from < v.valid_to)))
UNION ALL
 SELECT NULL::bigint AS state,
    t.id AS boundary_id,
    t.valid_from,
    t.valid_to,
    COALESCE(( SELECT max(v.imported_at) AS max
           FROM public.boundary_version v
          WHERE ((v.boundary_id = b.id) AND (v.valid_from = b.imported_at) AND (v.version <= b.version))), b.imported_at) AS recorded_at
   FROM (public.boundary_today_span t
     JOIN public.boundary b ON ((b.id = t.id)));

CREATE FUNCTION public.validity_at(boundary text) RETURNS text[]
    LANGUAGE sql STABLE
    RETURN (SELECT ARRAY[(v.valid_from)::text, (v.valid_to)::text] AS "array" FROM public.boundary_state_span v WHERE ((v.boundary_id = validity_at.boundary) AND (v.valid_from <= public.as_of_date()) AND ((v.valid_to IS NULL) OR (v.valid_to > public.as_of_date()))) LIMIT 1);

CREATE FUNCTION public.validity_of(boundary text) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    RETURN NULL::text[];

CREATE FUNCTION public.was_recorded(number bigint) RETURNS boolean
    LANGUAGE sql STABLE
    RETURN ((number IS NULL) OR ((number <= (NULLIF(current_setting('boundary.pin'::text, true), ''::text))::bigint) AND (number <> ALL ((string_to_array(current_setting('boundary.pin_open'::text, true), ','::text))::bigint[]))));

CREATE FUNCTION public.way_is_maritime(tags jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    RETURN COALESCE((((tags ->> 'maritime'::text) = 'yes'::text) OR ((tags ->> 'boundary_type'::text) = 'maritime'::text) OR ((tags ->> 'boundary'::text) = 'maritime'::text)), false);

CREATE FUNCTION public_as_of.arrangement_of(boundary text) RETURNS text
    LANGUAGE sql STABLE
    RETURN public.arrangement_at(boundary);

CREATE FUNCTION public_as_of.validity_of(boundary text) RETURNS text[]
    LANGUAGE sql STABLE
    RETURN public.validity_at(boundary);

CREATE TABLE public.set_boundary (
    id text NOT NULL,
    source text NOT NULL,
    source_id text NOT NULL,
    source_version text NOT NULL,
    version integer NOT NULL,
    imported_at timestamp with time zone DEFAULT now() NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    names jsonb NOT NULL,
    kind text NOT NULL,
    kind_given text,
    admin_level smallint,
    country text,
    countries text[] NOT NULL,
    disputed boolean DEFAULT false NOT NULL,
    country_given text,
    country_code text,
    iso text,
    wikidata text,
    population bigint,
    tags jsonb NOT NULL,
    place text,
    subareas text[] NOT NULL,
    other_names jsonb NOT NULL,
    codes text[] NOT NULL,
    ways bigint[] NOT NULL,
    west integer,
    south integer,
    east integer,
    north integer,
    lat integer,
    lon integer,
    area_km2 double precision,
    has_geometry boolean NOT NULL,
    broken jsonb,
    stale jsonb,
    geometry_hash bytea,
    ring_hash bytea,
    meta_hash bytea NOT NULL,
    kind_known boolean DEFAULT true NOT NULL,
    inherited jsonb,
    code_ids text[],
    version_id bigint NOT NULL
);

CREATE FUNCTION public_as_of_sets.arrangement_of(boundary text) RETURNS text
    LANGUAGE sql STABLE
    RETURN COALESCE((SELECT ('set '::text || b.version_id) FROM public.set_boundary b WHERE ((b.version_id = ANY (public.read_versions())) AND (b.id = arrangement_of.boundary))), public_as_of.arrangement_of(boundary));

CREATE FUNCTION public_as_of_sets.shapes_meeting(place public.geometry) RETURNS SETOF text
    LANGUAGE sql STABLE
    AS $$select s.boundary_id from public_as_of.boundary_shape s where public.reads_official() and s.geom && place union all select s.boundary_id from unnest(public.read_versions()) v (id) cross join lateral (select boundary_id from public.set_shape where version_id = v.id and geom && place offset 0) s$$;

CREATE FUNCTION public_as_of_sets.validity_of(boundary text) RETURNS text[]
    LANGUAGE sql STABLE
    RETURN public_as_of.validity_of(boundary);

CREATE TABLE public.past_edition (
    id bigint NOT NULL,
    source text NOT NULL,
    valid_from date NOT NULL,
    file text NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    recorded_in bigint,
    replaced_in bigint NOT NULL
);

CREATE TABLE public.past_edition_layer (
    edition bigint NOT NULL,
    type text NOT NULL,
    admin_level smallint,
    boundaries integer NOT NULL,
    recorded_in bigint,
    replaced_in bigint NOT NULL
);

CREATE VIEW public_pin.edition AS
 SELECT u.id,
    u.source,
    u.valid_from,
    u.file,
    u.recorded_at
   FROM ( SELECT edition.id,
            edition.source,
            edition.valid_from,
            edition.file,
            edition.recorded_at,
            edition.recorded_in,
            NULL::bigint AS replaced_in
           FROM public.edition
        UNION ALL
         SELECT past_edition.id,
            past_edition.source,
            past_edition.valid_from,
            past_edition.file,
            past_edition.recorded_at,
            past_edition.recorded_in,
            past_edition.replaced_in
           FROM public.past_edition) u
  WHERE (public.was_recorded(u.recorded_in) AND ((u.replaced_in IS NULL) OR (NOT public.was_recorded(u.replaced_in))));

CREATE VIEW public_pin.edition_layer AS
 SELECT u.edition,
    u.type,
    u.admin_level,
    u.boundaries
   FROM ( SELECT edition_layer.edition,
            edition_layer.type,
            edition_layer.admin_level,
            edition_layer.boundaries,
            edition_layer.recorded_in,
            NULL::bigint AS replaced_in
           FROM public.edition_layer
        UNION ALL
         SELECT past_edition_layer.edition,
            past_edition_layer.type,
            past_edition_layer.admin_level,
            past_edition_layer.boundaries,
            past_edition_layer.recorded_in,
            past_edition_layer.replaced_in
           FROM public.past_edition_layer) u
  WHERE (public.was_recorded(u.recorded_in) AND ((u.replaced_in IS NULL) OR (NOT public.was_recorded(u.replaced_in))));

CREATE FUNCTION public_pin.arrangement_of_layer(source text, type text, admin_level smallint) RETURNS text
    LANGUAGE sql STABLE
    RETURN ((source || ' '::text) || (SELECT max(e.valid_from) AS max FROM (public_pin.edition e JOIN public_pin.edition_layer l ON ((l.edition = e.id))) WHERE ((e.source = arrangement_of_layer.source) AND (e.valid_from <= public.as_of_date()) AND (l.type = arrangement_of_layer.type) AND (NOT (l.admin_level IS DISTINCT FROM arrangement_of_layer.admin_level)))));

CREATE TABLE public.past_edition_interval (
    state bigint NOT NULL,
    boundary_id text NOT NULL,
    source text NOT NULL,
    valid_from date NOT NULL,
    valid_to date,
    recorded_from timestamp with time zone NOT NULL,
    recorded_to timestamp with time zone,
    recorded_in bigint,
    replaced_in bigint NOT NULL
);

CREATE VIEW public_pin.edition_interval AS
 SELECT u.state,
    u.boundary_id,
    u.source,
    u.valid_from,
    u.valid_to,
    u.recorded_from,
    u.recorded_to
   FROM ( SELECT edition_interval.state,
            edition_interval.boundary_id,
            edition_interval.source,
            edition_interval.valid_from,
            edition_interval.valid_to,
            edition_interval.recorded_from,
            edition_interval.recorded_to,
            edition_interval.recorded_in,
            NULL::bigint AS replaced_in
           FROM public.edition_interval
        UNION ALL
         SELECT past_edition_interval.state,
            past_edition_interval.boundary_id,
            past_edition_interval.source,
            past_edition_interval.valid_from,
            past_edition_interval.valid_to,
            past_edition_interval.recorded_from,
            past_edition_interval.recorded_to,
            past_edition_interval.recorded_in,
            past_edition_interval.replaced_in
           FROM public.past_edition_interval) u
  WHERE (public.was_recorded(u.recorded_in) AND ((u.replaced_in IS NULL) OR (NOT public.was_recorded(u.replaced_in))));

CREATE FUNCTION public_pin.lasts_as_of(id text, source text, type text, admin_level smallint, imported_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE COST 1000
    RETURN ((imported_at < public.as_of_end()) AND (NOT (EXISTS (SELECT FROM public_pin.edition e WHERE ((e.source = lasts_as_of.source) AND (e.valid_from > public.day_of(lasts_as_of.imported_at)) AND (e.valid_from <= public.as_of_date()) AND (EXISTS (SELECT FROM public_pin.edition_layer l WHERE ((l.edition = e.id) AND (l.type = lasts_as_of.type) AND (NOT (l.admin_level IS DISTINCT FROM lasts_as_of.admin_level))))))))) AND (NOT (EXISTS (SELECT FROM public_pin.edition_interval i WHERE ((i.boundary_id = lasts_as_of.id) AND (i.recorded_to IS NULL) AND (i.valid_from > public.day_of(lasts_as_of.imported_at)) AND (i.valid_from <= public.as_of_date()))))));

CREATE TABLE public.past_boundary (
    id text NOT NULL,
    source text NOT NULL,
    source_id text NOT NULL,
    source_version text NOT NULL,
    version integer NOT NULL,
    imported_at timestamp with time zone NOT NULL,
    type text NOT NULL,
    name text NOT NULL,
    names jsonb NOT NULL,
    kind text NOT NULL,
    kind_given text,
    admin_level smallint,
    country text,
    countries text[] NOT NULL,
    disputed boolean NOT NULL,
    country_given text,
    country_code text,
    iso text,
    wikidata text,
    population bigint,
    tags jsonb NOT NULL,
    place text,
    subareas text[] NOT NULL,
    other_names jsonb NOT NULL,
    codes text[] NOT NULL,
    ways bigint[] NOT NULL,
    west integer,
    south integer,
    east integer,
    north integer,
    lat integer,
    lon integer,
    area_km2 double precision,
    has_geometry boolean NOT NULL,
    broken jsonb,
    stale jsonb,
    geometry_hash bytea,
    ring_hash bytea,
    meta_hash bytea NOT NULL,
    kind_known boolean NOT NULL,
    inherited jsonb,
    code_ids text[],
    recorded_in bigint,
    replaced_in bigint NOT NULL
);

CREATE VIEW public_pin.boundary AS
 SELECT u.id,
    u.source,
    u.source_id,
    u.source_version,
    u.version,
    u.imported_at,
    u.type,
    u.name,
    u.names,
    u.kind,
    u.kind_given,
    u.admin_level,
    u.country,
    u.countries,
    u.disputed,
    u.country_given,
    u.country_code,
    u.iso,
    u.wikidata,
    u.population,
    u.tags,
    u.place,
    u.subareas,
    u.other_names,
    u.codes,
    u.ways,
    u.west,
    u.south,
    u.east,
    u.north,
    u.lat,
    u.lon,
    u.area_km2,
    u.has_geometry,
    u.broken,
    u.stale,
    u.geometry_hash,
    sha256((u.ring_hash || '\x70617374'::bytea)) AS ring_hash,
    u.meta_hash,
    u.kind_known,
    u.inherited,
    u.code_ids
   FROM ( SELECT boundary.id,
            boundary.source,
            boundary.source_id,
            boundary.source_version,
            boundary.version,
            boundary.imported_at,
            boundary.type,
            boundary.name,
            boundary.names,
            boundary.kind,
            boundary.kind_given,
            boundary.admin_level,
            boundary.country,
            boundary.countries,
            boundary.disputed,
            boundary.country_given,
            boundary.country_code,
            boundary.iso,
            boundary.wikidata,
            boundary.population,
            boundary.tags,
            boundary.place,
            boundary.subareas,
            boundary.other_names,
            boundary.codes,
            boundary.ways,
            boundary.west,
            boundary.south,
            boundary.east,
            boundary.north,
            boundary.lat,
            boundary.lon,
            boundary.area_km2,
            boundary.has_geometry,
            boundary.broken,
            boundary.stale,
            boundary.geometry_hash,
            boundary.ring_hash,
            boundary.meta_hash,
            boundary.kind_known,
            boundary.inherited,
            boundary.code_ids,
            boundary.recorded_in,
            NULL::bigint AS replaced_in
           FROM public.boundary
        UNION ALL
         SELECT past_boundary.id,
            past_boundary.source,
            past_boundary.source_id,
            past_boundary.source_version,
            past_boundary.version,
            past_boundary.imported_at,
            past_boundary.type,
            past_boundary.name,
            past_boundary.names,
            past_boundary.kind,
            past_boundary.kind_given,
            past_boundary.admin_level,
            past_boundary.country,
            past_boundary.countries,
            past_boundary.disputed,
            past_boundary.country_given,
            past_boundary.country_code,
            past_boundary.iso,
            past_boundary.wikidata,
            past_boundary.population,
            past_boundary.tags,
            past_boundary.place,
            past_boundary.subareas,
            past_boundary.other_names,
            past_boundary.codes,
            past_boundary.ways,
            past_boundary.west,
            past_boundary.south,
            past_boundary.east,
            past_boundary.north,
            past_boundary.lat,
            past_boundary.lon,
            past_boundary.area_km2,
            past_boundary.has_geometry,
            past_boundary.broken,
            past_boundary.stale,
            past_boundary.geometry_hash,
            past_boundary.ring_hash,
            past_boundary.meta_hash,
            past_boundary.kind_known,
            past_boundary.inherited,
            past_boundary.code_ids,
            past_boundary.recorded_in,
            past_boundary.replaced_in
           FROM public.past_boundary) u
  WHERE (public.was_recorded(u.recorded_in) AND ((u.replaced_in IS NULL) OR (NOT public.was_recorded(u.replaced_in))));

CREATE FUNCTION public_pin.today_has_as_of(id text) RETURNS boolean
    LANGUAGE sql STABLE COST 1000
    RETURN COALESCE((SELECT public_pin.lasts_as_of(b.id, b.source, b.type, b.admin_level, b.imported_at) AS lasts_as_of FROM public_pin.boundary b WHERE (b.id = today_has_as_of.id)), false);

CREATE FUNCTION public_pin.state_since(state bigint, today integer) RETURNS date
    LANGUAGE sql STABLE COST 1000
    RETURN (SELECT i.valid_from FROM public_pin.edition_interval i WHERE ((i.state = state_since.state) AND (i.recorded_to IS NULL) AND (i.valid_from <= public.as_of_date()) AND ((i.valid_to IS NULL) OR (i.valid_to > public.as_of_date())) AND ((state_since.today = 0) OR (NOT public_pin.today_has_as_of(i.boundary_id)))) LIMIT 1);

CREATE FUNCTION public_pin.today_as_of() RETURNS integer
    LANGUAGE sql STABLE
    RETURN CASE WHEN (NOT (EXISTS (SELECT FROM public_pin.boundary b WHERE (b.imported_at < public.as_of_end())))) THEN 0 WHEN (EXISTS (SELECT FROM public_pin.boundary b WHERE (b.imported_at >= public.as_of_end()))) THEN 1 WHEN (EXISTS (SELECT FROM public_pin.edition e WHERE ((e.valid_from <= public.as_of_date()) AND (e.valid_from > (SELECT public.day_of(min(b.imported_at)) AS day_of FROM public_pin.boundary b))))) THEN 1 ELSE 2 END;

CREATE FUNCTION public_pin.arrangement_at(boundary text) RETURNS text
    LANGUAGE sql STABLE
    RETURN COALESCE((SELECT public_pin.arrangement_of_layer(b.source, b.type, b.admin_level) AS arrangement_of_layer FROM public.edition_boundary b WHERE ((b.id = arrangement_at.boundary) AND (public_pin.state_since(b.state, public_pin.today_as_of()) IS NOT NULL)) LIMIT 1), ''::text);

CREATE VIEW public_pin.boundary_today_span AS
 SELECT b.id,
    public.day_of(b.imported_at) AS valid_from,
    LEAST(( SELECT min(e.valid_from) AS min
           FROM (public_pin.edition e
             JOIN public_pin.edition_layer l ON ((l.edition = e.id)))
          WHERE ((e.source = b.source) AND (e.valid_from > public.day_of(b.imported_at)) AND (l.type = b.type) AND (NOT (l.admin_level IS DISTINCT FROM b.admin_level)))), ( SELECT min(i.valid_from) AS min
           FROM public_pin.edition_interval i
          WHERE ((i.boundary_id = b.id) AND (i.recorded_to IS NULL) AND (i.valid_from > public.day_of(b.imported_at)))), ( SELECT min(p.valid_from) AS min
           FROM public.history_pruned p
          WHERE ((p.source = b.source) AND (p.valid_from > public.day_of(b.imported_at)) AND public.was_recorded(p.pruned_in) AND ((p.again_in IS NULL) OR (NOT public.was_recorded(p.again_in))) AND (p.type = b.type) AND (NOT (p.admin_level IS DISTINCT FROM b.admin_level))))) AS valid_to
   FROM public_pin.boundary b;

CREATE VIEW public_pin.boundary_state_span AS
 SELECT i.state,
    i.boundary_id,
    v.valid_from,
    v.valid_to,
    i.recorded_from AS recorded_at
   FROM ((public_pin.edition_interval i
     LEFT JOIN public_pin.boundary_today_span t ON ((t.id = i.boundary_id)))
     CROSS JOIN LATERAL ( VALUES (i.valid_from,LEAST(i.valid_to, t.valid_from),true), (GREATEST(i.valid_from, t.valid_to),i.valid_to,(t.valid_to IS NOT NULL))) v(valid_from, valid_to, applies))
  WHERE ((i.recorded_to IS NULL) AND v.applies AND ((v.valid_to IS NULL) OR (v.valid_from < v.valid_to)))
UNION ALL
 SELECT NULL::bigint AS state,
    t.id AS boundary_id,
    t.valid_from,
    t.valid_to,
    COALESCE(( SELECT max(v.imported_at) AS max
           FROM public.boundary_version v
          WHERE ((v.boundary_id = b.id) AND (v.valid_from = b.imported_at) AND (v.version <= b.version))), b.imported_at) AS recorded_at
   FROM (public_pin.boundary_today_span t
     JOIN public_pin.boundary b ON ((b.id = t.id)));

CREATE FUNCTION public_pin.validity_at(boundary text) RETURNS text[]
    LANGUAGE sql STABLE
    RETURN (SELECT ARRAY[(v.valid_from)::text, (v.valid_to)::text] AS "array" FROM public_pin.boundary_state_span v WHERE ((v.boundary_id = validity_at.boundary) AND (v.valid_from <= public.as_of_date()) AND ((v.valid_to IS NULL) OR (v.valid_to > public.as_of_date()))) LIMIT 1);

CREATE FUNCTION public_pin_as_of.arrangement_of(boundary text) RETURNS text
    LANGUAGE sql STABLE
    RETURN public_pin.arrangement_at(boundary);

CREATE FUNCTION public_pin_as_of.validity_of(boundary text) RETURNS text[]
    LANGUAGE sql STABLE
    RETURN public_pin.validity_at(boundary);

CREATE FUNCTION public_sets.arrangement_of(boundary text) RETURNS text
    LANGUAGE sql STABLE
    RETURN COALESCE((SELECT ('set '::text || b.version_id) FROM public.set_boundary b WHERE ((b.version_id = ANY (public.read_versions())) AND (b.id = arrangement_of.boundary))), public.arrangement_of(boundary));

CREATE FUNCTION public_sets.shapes_meeting(place public.geometry) RETURNS SETOF text
    LANGUAGE sql STABLE
    AS $$select s.boundary_id from public.boundary_shape s where public.reads_official() and s.geom && place union all select s.boundary_id from unnest(public.read_versions()) v (id) cross join lateral (select boundary_id from public.set_shape where version_id = v.id and geom && place offset 0) s$$;

CREATE FUNCTION public_sets.validity_of(boundary text) RETURNS text[]
    LANGUAGE sql STABLE
    RETURN public.validity_of(boundary);

CREATE TABLE public.account (
    id text NOT NULL,
    email text NOT NULL,
    name text,
    operator boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    signed_in_at timestamp with time zone,
    CONSTRAINT account_email_check CHECK ((email = lower(email)))
);

CREATE TABLE public.api_key (
    id text NOT NULL,
    account text NOT NULL,
    org text NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    hash bytea NOT NULL,
    operator boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    created_by_key text
);

CREATE TABLE public.arc (
    id bigint NOT NULL,
    hash bytea NOT NULL,
    coords bytea NOT NULL,
    weights bytea NOT NULL,
    ends bytea NOT NULL,
    exact integer NOT NULL,
    revision bigint NOT NULL,
    area double precision NOT NULL,
    turn double precision NOT NULL,
    box box NOT NULL,
    class smallint DEFAULT 12 NOT NULL,
    main boolean DEFAULT false NOT NULL,
    reach bytea NOT NULL,
    reach_box box NOT NULL,
    arrangement smallint DEFAULT 0 NOT NULL,
    recorded_in bigint
);
ALTER TABLE ONLY public.arc ALTER COLUMN coords SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.arc ALTER COLUMN reach SET STORAGE EXTERNAL;

CREATE TABLE public.edition_arc (
    id bigint NOT NULL,
    hash bytea NOT NULL,
    coords bytea NOT NULL,
    weights bytea NOT NULL,
    ends bytea NOT NULL,
    exact integer NOT NULL,
    revision bigint NOT NULL,
    area double precision NOT NULL,
    turn double precision NOT NULL,
    box box NOT NULL,
    class smallint NOT NULL,
    main boolean NOT NULL,
    arc_hash bytea NOT NULL
);
ALTER TABLE ONLY public.edition_arc ALTER COLUMN coords SET STORAGE EXTERNAL;

CREATE VIEW public.arc_at AS
 SELECT arc.id,
    arc.hash,
    arc.coords,
    arc.weights,
    arc.ends,
    arc.exact,
    arc.revision,
    arc.area,
    arc.turn,
    arc.box,
    arc.class,
    arc.main,
    arc.reach,
    arc.reach_box,
    arc.arrangement
   FROM public.arc
UNION ALL
 SELECT edition_arc.id,
    edition_arc.hash,
    edition_arc.coords,
    edition_arc.weights,
    edition_arc.ends,
    edition_arc.exact,
    edition_arc.revision,
    edition_arc.area,
    edition_arc.turn,
    edition_arc.box,
    edition_arc.class,
    edition_arc.main,
    decode(''::text, 'hex'::text) AS reach,
    NULL::box AS reach_box,
    (0)::smallint AS arrangement
   FROM public.edition_arc;

CREATE TABLE public.arc_conflict (
    a bigint NOT NULL,
    b bigint NOT NULL,
    kind text NOT NULL,
    x integer NOT NULL,
    y integer NOT NULL,
    recorded_in bigint,
    CONSTRAINT arc_conflict_kind_check CHECK ((kind = ANY (ARRAY['cross'::text, 'touch'::text, 'overlap'::text])))
);

CREATE TABLE public.edition_conflict (
    a bigint NOT NULL,
    b bigint NOT NULL,
    kind text NOT NULL,
    x integer NOT NULL,
    y integer NOT NULL
);

CREATE VIEW public.arc_conflict_at AS
 SELECT arc_conflict.a,
    arc_conflict.b,
    arc_conflict.kind,
    arc_conflict.x,
    arc_conflict.y
   FROM public.arc_conflict
UNION ALL
 SELECT edition_conflict.a,
    edition_conflict.b,
    edition_conflict.kind,
    edition_conflict.x,
    edition_conflict.y
   FROM public.edition_conflict;

ALTER TABLE public.arc ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.arc_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE SEQUENCE public.arc_revision
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.area_set (
    id text NOT NULL,
    org text NOT NULL,
    creator text,
    name text NOT NULL,
    title text NOT NULL,
    visibility text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT area_set_name_check CHECK ((name ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'::text)),
    CONSTRAINT area_set_visibility_check CHECK ((visibility = ANY (ARRAY['org'::text, 'restricted'::text])))
);

CREATE TABLE public.area_set_share (
    id text NOT NULL,
    area_set text NOT NULL,
    org text NOT NULL,
    team text,
    account text,
    access text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT area_set_share_access_check CHECK ((access = ANY (ARRAY['read'::text, 'write'::text, 'admin'::text]))),
    CONSTRAINT area_set_share_check CHECK (((team IS NULL) <> (account IS NULL)))
);

CREATE TABLE public.area_set_version (
    id bigint NOT NULL,
    area_set text NOT NULL,
    valid_from date NOT NULL,
    made_from text NOT NULL,
    attribution text NOT NULL,
    areas integer NOT NULL,
    vertices bigint NOT NULL,
    report jsonb NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    seams jsonb
);

ALTER TABLE public.area_set_version ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.area_set_version_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.attempt (
    subject bytea NOT NULL,
    count integer NOT NULL,
    ends_at timestamp with time zone NOT NULL
);

CREATE TABLE public.audit_log (
    id text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    org text NOT NULL,
    action text NOT NULL,
    actor_type text NOT NULL,
    actor_id text,
    actor_name text NOT NULL,
    target_type text NOT NULL,
    target_id text,
    target_name text,
    details jsonb NOT NULL,
    request_id text,
    network text,
    CONSTRAINT audit_log_action_check CHECK ((action ~ '^[a-z_]+\.[a-z_]+$'::text)),
    CONSTRAINT audit_log_actor_type_check CHECK ((actor_type = ANY (ARRAY['person'::text, 'api_key'::text, 'oauth_client'::text, 'system'::text])))
);

CREATE TABLE public.boundary_alias (
    id text NOT NULL,
    boundary_id text NOT NULL,
    recorded_in bigint
);

CREATE TABLE public.edition_shape (
    id bigint NOT NULL,
    hash bytea NOT NULL,
    arcs bigint[] NOT NULL,
    ring_end integer[] NOT NULL,
    polygon_end integer[] NOT NULL,
    arc_ids bigint[] NOT NULL,
    geom public.geometry(MultiPolygon,4326) NOT NULL,
    largest integer NOT NULL
);
ALTER TABLE ONLY public.edition_shape ALTER COLUMN geom SET STORAGE EXTERNAL;

CREATE VIEW public.boundary_at AS
 SELECT u.id,
    u.source,
    u.source_id,
    u.source_version,
        CASE
            WHEN (u.state IS NULL) THEN u.version
            ELSE (to_char((public.state_since(u.state, ( SELECT public.today_as_of() AS today_as_of)))::timestamp with time zone, 'YYYYMMDD'::text))::integer
        END AS version,
        CASE
            WHEN (u.state IS NULL) THEN u.imported_at
            ELSE ((public.state_since(u.state, ( SELECT public.today_as_of() AS today_as_of)))::timestamp without time zone AT TIME ZONE 'UTC'::text)
        END AS imported_at,
    u.type,
    u.name,
    u.names,
    u.kind,
    u.kind_given,
    u.admin_level,
    u.country,
    u.countries,
    u.disputed,
    u.country_given,
    u.country_code,
    u.iso,
    u.wikidata,
    u.population,
    u.tags,
    u.place,
    u.subareas,
    u.other_names,
    u.codes,
    u.ways,
    u.west,
    u.south,
    u.east,
    u.north,
    u.lat,
    u.lon,
    u.area_km2,
    u.has_geometry,
    u.broken,
    u.stale,
    u.geometry_hash,
        CASE
            WHEN (u.state IS NULL) THEN u.ring_hash
            ELSE ( SELECT sha256((s.hash || convert_to(public.arrangement_of_layer(u.source, u.type, u.admin_level), 'UTF8'::name))) AS sha256
               FROM public.edition_shape s
              WHERE (s.id = u.shape))
        END AS ring_hash,
    u.meta_hash,
    u.kind_known,
    u.inherited,
    u.code_ids
   FROM ( SELECT b.state,
            b.shape,
            b.id,
            b.source,
            b.source_id,
            b.source_version,
            b.version,
            b.imported_at,
            b.type,
            b.name,
            b.names,
            b.kind,
            b.kind_given,
            b.admin_level,
            b.country,
            b.countries,
            b.disputed,
            b.country_given,
            b.country_code,
            b.iso,
            b.wikidata,
            b.population,
            b.tags,
            b.place,
            b.subareas,
            b.other_names,
            b.codes,
            b.ways,
            b.west,
            b.south,
            b.east,
            b.north,
            b.lat,
            b.lon,
            b.area_km2,
            b.has_geometry,
            b.broken,
            b.stale,
            b.geometry_hash,
            b.ring_hash,
            b.state_hash AS meta_hash,
            b.kind_known,
            b.inherited,
            b.code_ids
           FROM public.edition_boundary b
        UNION ALL
         SELECT NULL::bigint AS int8,
            NULL::bigint AS int8,
            b.id,
            b.source,
            b.source_id,
            b.source_version,
            b.version,
            b.imported_at,
            b.type,
            b.name,
            b.names,
            b.kind,
            b.kind_given,
            b.admin_level,
            b.country,
            b.countries,
            b.disputed,
            b.country_given,
            b.country_code,
            b.iso,
            b.wikidata,
            b.population,
            b.tags,
            b.place,
            b.subareas,
            b.other_names,
            b.codes,
            b.ways,
            b.west,
            b.south,
            b.east,
            b.north,
            b.lat,
            b.lon,
            b.area_km2,
            b.has_geometry,
            b.broken,
            b.stale,
            b.geometry_hash,
            b.ring_hash,
            b.meta_hash,
            b.kind_known,
            b.inherited,
            b.code_ids
           FROM public.boundary b) u
  WHERE
        CASE
            WHEN (u.state IS NULL) THEN
            CASE ( SELECT public.today_as_of() AS today_as_of)
                WHEN 0 THEN false
                WHEN 2 THEN true
                ELSE public.lasts_as_of(u.id, u.source, u.type, u.admin_level, u.imported_at)
            END
            ELSE (public.state_since(u.state, ( SELECT public.today_as_of() AS today_as_of)) IS NOT NULL)
        END;

CREATE TABLE public.boundary_gone (
    id text NOT NULL,
    version integer NOT NULL,
    reason text NOT NULL,
    gone_at timestamp with time zone DEFAULT now() NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    kind text NOT NULL,
    admin_level smallint,
    country text,
    wikidata text,
    iso text,
    replaced_by text,
    ways bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    recorded_in bigint,
    CONSTRAINT boundary_gone_reason_check CHECK ((reason = ANY (ARRAY['deleted'::text, 'retagged'::text, 'member'::text])))
);

CREATE TABLE public.boundary_inland (
    boundary_id text NOT NULL,
    state text NOT NULL,
    reason text,
    lat integer,
    lon integer,
    CONSTRAINT boundary_inland_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'none'::text, 'some'::text, 'all'::text, 'unknown'::text])))
);

CREATE TABLE public.boundary_land (
    boundary_id text NOT NULL,
    state text NOT NULL,
    land_km2 double precision,
    reason text,
    lat integer,
    lon integer,
    recorded_in bigint,
    decided_by text,
    CONSTRAINT boundary_land_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'land'::text, 'mixed'::text, 'water'::text, 'unknown'::text])))
);

CREATE TABLE public.boundary_name (
    boundary_id text NOT NULL,
    type text NOT NULL,
    lang text,
    folded text NOT NULL,
    ascii text,
    weight real NOT NULL,
    recorded_in bigint
);

CREATE TABLE public.edition_name (
    boundary_id text NOT NULL,
    type text NOT NULL,
    lang text,
    folded text NOT NULL,
    ascii text,
    weight real NOT NULL,
    state bigint NOT NULL
);

CREATE VIEW public.boundary_name_at AS
 SELECT u.boundary_id,
    u.type,
    u.lang,
    u.folded,
    u.ascii,
    u.weight
   FROM ( SELECT n.state,
            n.boundary_id,
            n.type,
            n.lang,
            n.folded,
            n.ascii,
            n.weight
           FROM public.edition_name n
        UNION ALL
         SELECT NULL::bigint AS int8,
            n.boundary_id,
            n.type,
            n.lang,
            n.folded,
            n.ascii,
            n.weight
           FROM public.boundary_name n) u
  WHERE
        CASE
            WHEN (u.state IS NULL) THEN
            CASE ( SELECT public.today_as_of() AS today_as_of)
                WHEN 0 THEN false
                WHEN 2 THEN true
                ELSE public.today_has_as_of(u.boundary_id)
            END
            ELSE (public.state_since(u.state, ( SELECT public.today_as_of() AS today_as_of)) IS NOT NULL)
        END;

CREATE TABLE public.boundary_parent (
    child text NOT NULL,
    parent text NOT NULL,
    share real NOT NULL,
    "position" smallint NOT NULL,
    derived boolean,
    recorded_in bigint
);

CREATE TABLE public.edition_parent (
    child text NOT NULL,
    parent text NOT NULL,
    share real NOT NULL,
    "position" smallint NOT NULL,
    derived boolean,
    state bigint NOT NULL
);

CREATE VIEW public.boundary_parent_at AS
 SELECT u.child,
    u.parent,
    u.share,
    u."position",
    u.derived
   FROM ( SELECT p.state,
            p.child,
            p.parent,
            p.share,
            p."position",
            p.derived
           FROM public.edition_parent p
        UNION ALL
         SELECT NULL::bigint AS int8,
            p.child,
            p.parent,
            p.share,
            p."position",
            p.derived
           FROM public.boundary_parent p) u
  WHERE
        CASE
            WHEN (u.state IS NULL) THEN
            CASE ( SELECT public.today_as_of() AS today_as_of)
                WHEN 0 THEN false
                WHEN 2 THEN true
                ELSE (public.today_has_as_of(u.child) AND public.today_has_as_of(u.parent))
            END
            ELSE (public.state_since(u.state, ( SELECT public.today_as_of() AS today_as_of)) IS NOT NULL)
        END;

CREATE TABLE public.boundary_replaced (
    id text NOT NULL,
    heir text NOT NULL,
    facts jsonb NOT NULL,
    geom public.geometry(MultiPolygon,4326) NOT NULL,
    parents text[] NOT NULL,
    children text[] NOT NULL
);

CREATE TABLE public.boundary_shape (
    boundary_id text NOT NULL,
    arcs bigint[] NOT NULL,
    ring_end integer[] NOT NULL,
    polygon_end integer[] NOT NULL,
    arc_ids bigint[] NOT NULL,
    geom public.geometry(MultiPolygon,4326) NOT NULL,
    largest integer DEFAULT 0 NOT NULL,
    recorded_in bigint
);
ALTER TABLE ONLY public.boundary_shape ALTER COLUMN geom SET STORAGE EXTERNAL;

CREATE VIEW public.boundary_shape_at AS
 SELECT u.boundary_id,
        CASE
            WHEN (u.state IS NULL) THEN u.arcs
            ELSE ( SELECT s.arcs
               FROM public.edition_shape s
              WHERE (s.id = u.shape))
        END AS arcs,
        CASE
            WHEN (u.state IS NULL) THEN u.ring_end
            ELSE ( SELECT s.ring_end
               FROM public.edition_shape s
              WHERE (s.id = u.shape))
        END AS ring_end,
        CASE
            WHEN (u.state IS NULL) THEN u.polygon_end
            ELSE ( SELECT s.polygon_end
               FROM public.edition_shape s
              WHERE (s.id = u.shape))
        END AS polygon_end,
    u.arc_ids,
    u.geom,
        CASE
            WHEN (u.state IS NULL) THEN u.largest
            ELSE ( SELECT s.largest
               FROM public.edition_shape s
              WHERE (s.id = u.shape))
        END AS largest
   FROM ( SELECT b.state,
            b.shape,
            b.id AS boundary_id,
            NULL::bigint[] AS arcs,
            NULL::integer[] AS ring_end,
            NULL::integer[] AS polygon_end,
            b.arc_ids,
            b.geom,
            NULL::integer AS largest
           FROM public.edition_boundary b
        UNION ALL
         SELECT NULL::bigint AS int8,
            NULL::bigint AS int8,
            s.boundary_id,
            s.arcs,
            s.ring_end,
            s.polygon_end,
            s.arc_ids,
            s.geom,
            s.largest
           FROM public.boundary_shape s) u
  WHERE
        CASE
            WHEN (u.state IS NULL) THEN
            CASE ( SELECT public.today_as_of() AS today_as_of)
                WHEN 0 THEN false
                WHEN 2 THEN true
                ELSE public.today_has_as_of(u.boundary_id)
            END
            ELSE ((u.shape IS NOT NULL) AND (public.state_since(u.state, ( SELECT public.today_as_of() AS today_as_of)) IS NOT NULL))
        END;

CREATE VIEW public.boundary_today_at AS
 SELECT boundary_today_span.id
   FROM public.boundary_today_span
  WHERE ((boundary_today_span.valid_from <= public.as_of_date()) AND ((boundary_today_span.valid_to IS NULL) OR (boundary_today_span.valid_to > public.as_of_date())));

CREATE TABLE public.change_subscription (
    id text NOT NULL,
    org text NOT NULL,
    account text NOT NULL,
    about text NOT NULL,
    boundaries text[] NOT NULL,
    parents text[] NOT NULL,
    country text,
    admin_level smallint,
    file text,
    webhook text,
    mail boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    sent_at timestamp with time zone,
    mailed_on date,
    mailed integer DEFAULT 0 NOT NULL,
    language text,
    CONSTRAINT change_subscription_check CHECK (((webhook IS NOT NULL) OR mail))
);

CREATE TABLE public.coast_extent (
    west integer NOT NULL,
    south integer NOT NULL,
    east integer NOT NULL,
    north integer NOT NULL
);

CREATE TABLE public.coast_line (
    source text NOT NULL,
    id bigint NOT NULL,
    version integer NOT NULL,
    coords bytea NOT NULL,
    box box NOT NULL,
    data_at timestamp with time zone
);

CREATE TABLE public.data_batch (
    id bigint NOT NULL,
    transaction xid8 NOT NULL,
    started_at timestamp with time zone NOT NULL,
    recorded_in bigint NOT NULL,
    source text,
    valid_from date,
    announced_at timestamp with time zone
);

ALTER TABLE public.data_batch ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.data_batch_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.data_change (
    transaction xid8 NOT NULL,
    started_at timestamp with time zone NOT NULL
);

CREATE TABLE public.data_event (
    batch bigint NOT NULL,
    boundary_id text NOT NULL,
    before jsonb,
    after jsonb
);

CREATE TABLE public.data_record (
    number bigint NOT NULL,
    at timestamp with time zone,
    upto bigint
);

ALTER TABLE public.data_record ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.data_record_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.data_revision (
    one boolean DEFAULT true NOT NULL,
    base bigint NOT NULL,
    CONSTRAINT data_revision_one_check CHECK (one)
);

CREATE TABLE public.device_code (
    device_hash bytea NOT NULL,
    user_hash bytea NOT NULL,
    client_name text NOT NULL,
    address text,
    interval_s integer DEFAULT 5 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    polled_at timestamp with time zone,
    account text,
    org text,
    approved boolean,
    decided_at timestamp with time zone,
    used_at timestamp with time zone
);

CREATE UNLOGGED TABLE public.edition_arc_draft (
    id bigint NOT NULL,
    saved bigint NOT NULL
);

ALTER TABLE public.edition_boundary ALTER COLUMN state ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.edition_boundary_state_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE UNLOGGED TABLE public.edition_draft (
    boundary_id text NOT NULL,
    arcs bigint[],
    shape_hash bytea,
    state_hash bytea NOT NULL
);

ALTER TABLE public.edition ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.edition_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.edition_member (
    edition bigint NOT NULL,
    state bigint NOT NULL
);

CREATE VIEW public.edition_interval_computed AS
 WITH layer AS (
         SELECT l.edition,
            e.source,
            l.type,
            l.admin_level,
            e.valid_from,
            row_number() OVER w AS number,
            lead(e.valid_from) OVER w AS next_from
           FROM (public.edition_layer l
             JOIN public.edition e ON ((e.id = l.edition)))
          WINDOW w AS (PARTITION BY e.source, l.type, l.admin_level ORDER BY e.valid_from)
        ), present AS (
         SELECT m.state,
            b.id AS boundary_id,
            l.source,
            l.valid_from,
            l.next_from,
            l.number,
            (l.number - row_number() OVER (PARTITION BY m.state ORDER BY l.number)) AS run
           FROM ((public.edition_member m
             JOIN public.edition_boundary b ON ((b.state = m.state)))
             JOIN layer l ON (((l.edition = m.edition) AND (l.type = b.type) AND (NOT (l.admin_level IS DISTINCT FROM b.admin_level)))))
        )
 SELECT present.state,
    present.boundary_id,
    present.source,
    min(present.valid_from) AS valid_from,
    (array_agg(present.next_from ORDER BY present.number DESC))[1] AS valid_to
   FROM present
  GROUP BY present.state, present.boundary_id, present.source, present.run;

CREATE TABLE public.edition_reach (
    edition bigint NOT NULL,
    arc bigint NOT NULL,
    reach bytea NOT NULL,
    reach_box box NOT NULL
);

ALTER TABLE public.edition_shape ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.edition_shape_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.edition_source (
    id text NOT NULL,
    name text NOT NULL,
    url text,
    licence text NOT NULL,
    attribution text NOT NULL,
    resolution text,
    seed boolean DEFAULT false NOT NULL,
    imported_at timestamp with time zone DEFAULT now() NOT NULL,
    data_at timestamp with time zone,
    reference_system text,
    accuracy_m double precision,
    "position" integer,
    edition text,
    land boolean DEFAULT false NOT NULL,
    recorded_in bigint
);

CREATE VIEW public.edition_state_at AS
 SELECT i.state,
    i.boundary_id,
    i.source,
    i.valid_from
   FROM public.edition_interval i
  WHERE ((i.recorded_to IS NULL) AND (i.valid_from <= public.as_of_date()) AND ((i.valid_to IS NULL) OR (i.valid_to > public.as_of_date())) AND (NOT (EXISTS ( SELECT
           FROM public.boundary_today_at t
          WHERE (t.id = i.boundary_id)))));

CREATE TABLE public.feedback_comment (
    id bigint NOT NULL,
    item bigint NOT NULL,
    author text,
    by_operator boolean NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.feedback_comment ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.feedback_comment_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.feedback_item (
    id bigint NOT NULL,
    kind text NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    duplicate_of bigint,
    title text NOT NULL,
    details text NOT NULL,
    folded text NOT NULL,
    ascii text NOT NULL,
    author text,
    upvotes integer DEFAULT 0 NOT NULL,
    comments integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT feedback_item_check CHECK (((status = 'duplicate'::text) = (duplicate_of IS NOT NULL))),
    CONSTRAINT feedback_item_check1 CHECK ((duplicate_of <> id)),
    CONSTRAINT feedback_item_comments_check CHECK ((comments >= 0)),
    CONSTRAINT feedback_item_kind_check CHECK ((kind = ANY (ARRAY['feature'::text, 'issue'::text]))),
    CONSTRAINT feedback_item_status_check CHECK ((status = ANY (ARRAY['open'::text, 'planned'::text, 'in_progress'::text, 'done'::text, 'declined'::text, 'duplicate'::text]))),
    CONSTRAINT feedback_item_upvotes_check CHECK ((upvotes >= 0))
);

ALTER TABLE public.feedback_item ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.feedback_item_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.feedback_status (
    item bigint NOT NULL,
    "position" integer NOT NULL,
    status text NOT NULL,
    duplicate_of bigint,
    set_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.feedback_vote (
    item bigint NOT NULL,
    account text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.file_blob (
    sha256 text NOT NULL,
    format text NOT NULL,
    bytes bigint NOT NULL,
    generation bigint NOT NULL,
    claimed_at timestamp with time zone DEFAULT now() NOT NULL,
    leaving_at timestamp with time zone,
    CONSTRAINT file_blob_bytes_check CHECK ((bytes >= 0)),
    CONSTRAINT file_blob_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);

ALTER TABLE public.file_blob ALTER COLUMN generation ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.file_blob_generation_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.file_count (
    org text NOT NULL,
    everyone bigint DEFAULT 0 NOT NULL,
    restricted bigint DEFAULT 0 NOT NULL,
    revision bigint DEFAULT 1 NOT NULL
);

CREATE TABLE public.file_follow (
    file text NOT NULL,
    org text NOT NULL,
    checked_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    error text,
    claim bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.file_format (
    name text NOT NULL
);

CREATE TABLE public.file_link (
    id text NOT NULL,
    file text NOT NULL,
    creator text NOT NULL,
    sha256 text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT file_link_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE public.file_share (
    id text NOT NULL,
    file text NOT NULL,
    org text NOT NULL,
    visibility text NOT NULL,
    file_created_at timestamp with time zone NOT NULL,
    team text,
    account text,
    access text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT file_share_access_check CHECK ((access = ANY (ARRAY['read'::text, 'write'::text, 'admin'::text]))),
    CONSTRAINT file_share_check CHECK (((team IS NULL) <> (account IS NULL)))
);

CREATE TABLE public.history_keep (
    one boolean DEFAULT true NOT NULL,
    editions integer,
    since date,
    CONSTRAINT history_keep_check CHECK (((editions IS NULL) <> (since IS NULL))),
    CONSTRAINT history_keep_editions_check CHECK ((editions >= 0)),
    CONSTRAINT history_keep_one_check CHECK (one)
);

CREATE TABLE public.import_run (
    id bigint NOT NULL,
    source text NOT NULL,
    file text NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    summary jsonb
);

ALTER TABLE public.import_run ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.import_run_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.inland_water (
    source text NOT NULL,
    id text NOT NULL,
    coords bytea NOT NULL,
    ring_end integer[] NOT NULL,
    reason text,
    is_part boolean NOT NULL,
    box box NOT NULL,
    data_at timestamp with time zone
);

CREATE TABLE public.inland_water_covered (
    boundary_id text NOT NULL,
    geometry_hash bytea NOT NULL,
    least_km2 double precision NOT NULL,
    data_at timestamp with time zone
);

CREATE TABLE public.inland_water_set (
    source text NOT NULL,
    west integer NOT NULL,
    south integer NOT NULL,
    east integer NOT NULL,
    north integer NOT NULL,
    stated boolean NOT NULL
);

CREATE TABLE public.invite (
    id text NOT NULL,
    org text NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    invited_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    accepted_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT invite_email_check CHECK ((email = lower(email))),
    CONSTRAINT invite_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'viewer'::text])))
);

CREATE TABLE public.job (
    id text NOT NULL,
    org text NOT NULL,
    account text NOT NULL,
    role text NOT NULL,
    op text NOT NULL,
    input text NOT NULL,
    name text NOT NULL,
    visibility text NOT NULL,
    state text DEFAULT 'queued'::text NOT NULL,
    units bigint NOT NULL,
    reservation text,
    charged bigint DEFAULT 0 NOT NULL,
    total integer NOT NULL,
    done integer DEFAULT 0 NOT NULL,
    revision bigint,
    resets integer DEFAULT 0 NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    token bigint DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    failed jsonb DEFAULT '[]'::jsonb NOT NULL,
    error jsonb,
    file text,
    mail boolean DEFAULT false NOT NULL,
    webhook text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    ended_at timestamp with time zone,
    sets text,
    doing text,
    report jsonb,
    language text,
    CONSTRAINT job_check CHECK (((state = ANY (ARRAY['done'::text, 'failed'::text, 'canceled'::text])) = (ended_at IS NOT NULL))),
    CONSTRAINT job_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'canceled'::text]))),
    CONSTRAINT job_units_check CHECK ((units >= 0)),
    CONSTRAINT job_visibility_check CHECK ((visibility = ANY (ARRAY['org'::text, 'restricted'::text])))
);

CREATE TABLE public.job_part (
    job text NOT NULL,
    part integer NOT NULL,
    blob text NOT NULL,
    about jsonb NOT NULL,
    CONSTRAINT job_part_blob_check CHECK ((blob ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE public.land_set (
    source text NOT NULL,
    west integer NOT NULL,
    south integer NOT NULL,
    east integer NOT NULL,
    north integer NOT NULL,
    stated boolean NOT NULL
);

CREATE SEQUENCE public.local_boundary_id
    START WITH 9000000000000
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.mailed_token (
    hash bytea NOT NULL,
    link text,
    invite text,
    CONSTRAINT mailed_token_check CHECK (((link IS NULL) <> (invite IS NULL)))
);

CREATE TABLE public.way (
    id bigint NOT NULL,
    version integer NOT NULL,
    tags jsonb NOT NULL,
    node_refs bigint[],
    coords bytea,
    missing_node bigint,
    places bytea
);
ALTER TABLE ONLY public.way ALTER COLUMN node_refs SET STATISTICS 0;
ALTER TABLE ONLY public.way ALTER COLUMN coords SET STATISTICS 0;
ALTER TABLE ONLY public.way ALTER COLUMN coords SET STORAGE EXTERNAL;

CREATE VIEW public.maritime_way AS
 SELECT way.id,
    way.coords
   FROM public.way
  WHERE (public.way_is_maritime(way.tags) AND (way.coords IS NOT NULL));

CREATE TABLE public.match_correction (
    org text NOT NULL,
    name text NOT NULL,
    within text NOT NULL,
    written text NOT NULL,
    boundary text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.membership (
    org text NOT NULL,
    account text NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT membership_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'member'::text, 'viewer'::text])))
);

CREATE TABLE public.oauth_grant (
    id text NOT NULL,
    account text NOT NULL,
    org text NOT NULL,
    client_id text NOT NULL,
    client_name text NOT NULL,
    scope text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT oauth_grant_scope_check CHECK ((scope = ANY (ARRAY['read'::text, 'write'::text, 'admin'::text])))
);

CREATE TABLE public.oauth_record (
    model text NOT NULL,
    id_hash bytea NOT NULL,
    payload jsonb NOT NULL,
    grant_id text,
    consumed_at timestamp with time zone,
    expires_at timestamp with time zone,
    network bytea
);

CREATE TABLE public.org (
    id text NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    plan text NOT NULL,
    personal_of text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    pool text,
    CONSTRAINT org_slug_check CHECK ((slug ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'::text))
);

CREATE TABLE public.plan (
    id text NOT NULL,
    name text NOT NULL,
    price_month integer,
    included_units bigint,
    requests_per_minute integer,
    batch_size integer,
    "position" integer NOT NULL,
    listed boolean DEFAULT true NOT NULL,
    payment_price text,
    job_days integer,
    area_sets integer,
    set_areas bigint,
    set_vertices bigint,
    CONSTRAINT plan_area_sets_check CHECK ((area_sets >= 0)),
    CONSTRAINT plan_job_days_check CHECK ((job_days > 0)),
    CONSTRAINT plan_set_areas_check CHECK ((set_areas >= 0)),
    CONSTRAINT plan_set_vertices_check CHECK ((set_vertices >= 0))
);

CREATE VIEW public.org_budget AS
 SELECT o.id AS org,
    p.included_units AS units,
        CASE
            WHEN ((p.price_month = 0) AND (p.included_units IS NOT NULL)) THEN COALESCE(o.pool, o.id)
            ELSE o.id
        END AS pool
   FROM (public.org o
     JOIN public.plan p ON ((p.id = o.plan)));

CREATE VIEW public.org_purse AS
 SELECT org_budget.org,
    org_budget.units,
    org_budget.pool AS purse
   FROM public.org_budget;

CREATE TABLE public.org_slug (
    slug text NOT NULL,
    org text NOT NULL
);

CREATE TABLE public.osm_node (
    id bigint NOT NULL,
    version integer NOT NULL,
    tags jsonb NOT NULL,
    x integer,
    y integer
);

CREATE TABLE public.osm_relation (
    id bigint NOT NULL,
    version integer NOT NULL,
    tags jsonb NOT NULL,
    member_types text NOT NULL,
    member_refs bigint[] NOT NULL,
    member_roles text[] NOT NULL
);

CREATE TABLE public.outbox (
    id text NOT NULL,
    recipient text NOT NULL,
    subject text,
    text text,
    attempts integer DEFAULT 0 NOT NULL,
    next_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    kind text DEFAULT 'text'::text NOT NULL,
    reference text,
    language text,
    CONSTRAINT outbox_check CHECK (((kind = 'text'::text) = ((reference IS NULL) AND (subject IS NOT NULL) AND (text IS NOT NULL))))
);

CREATE TABLE public.past_arc (
    id bigint NOT NULL,
    hash bytea NOT NULL,
    coords bytea NOT NULL,
    weights bytea NOT NULL,
    ends bytea NOT NULL,
    exact integer NOT NULL,
    revision bigint NOT NULL,
    area double precision NOT NULL,
    turn double precision NOT NULL,
    box box NOT NULL,
    class smallint NOT NULL,
    main boolean NOT NULL,
    reach bytea NOT NULL,
    reach_box box NOT NULL,
    arrangement smallint NOT NULL,
    recorded_in bigint,
    replaced_in bigint NOT NULL
);
ALTER TABLE ONLY public.past_arc ALTER COLUMN coords SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.past_arc ALTER COLUMN reach SET STORAGE EXTERNAL;

CREATE TABLE public.past_arc_conflict (
    a bigint NOT NULL,
    b bigint NOT NULL,
    kind text NOT NULL,
    x integer NOT NULL,
    y integer NOT NULL,
    recorded_in bigint,
    replaced_in bigint NOT NULL
);

CREATE TABLE public.past_boundary_alias (
    id text NOT NULL,
    boundary_id text NOT NULL,
    recorded_in bigint,
    replaced_in bigint NOT NULL
);

CREATE TABLE public.past_boundary_gone (
    id text NOT NULL,
    version integer NOT NULL,
    reason text NOT NULL,
    gone_at timestamp with time zone NOT NULL,
    name text NOT NULL,
    type text NOT NULL,
    kind text NOT NULL,
    admin_level smallint,
    country text,
    wikidata text,
    iso text,
    replaced_by text,
    ways bigint[] NOT NULL,
    recorded_in bigint,
    replaced_in bigint NOT NULL
);

CREATE TABLE public.past_boundary_land (
    boundary_id text NOT NULL,
    state text NOT NULL,
    land_km2 double precision,
    reason text,
    lat integer,
    lon integer,
    recorded_in bigint,
    replaced_in bigint NOT NULL,
    decided_by text
);

CREATE TABLE public.past_boundary_name (
    boundary_id text NOT NULL,
    type text NOT NULL,
    lang text,
    folded text NOT NULL,
    ascii text,
    weight real NOT NULL,
    recorded_in bigint,
    replaced_in bigint NOT NULL
);

CREATE TABLE public.past_boundary_parent (
    child text NOT NULL,
    parent text NOT NULL,
    share real NOT NULL,
    "position" smallint NOT NULL,
    derived boolean,
    recorded_in bigint,
    replaced_in bigint NOT NULL
);

CREATE TABLE public.past_boundary_shape (
    boundary_id text NOT NULL,
    arcs bigint[] NOT NULL,
    ring_end integer[] NOT NULL,
    polygon_end integer[] NOT NULL,
    arc_ids bigint[] NOT NULL,
    geom public.geometry(MultiPolygon,4326) NOT NULL,
    largest integer NOT NULL,
    recorded_in bigint,
    replaced_in bigint NOT NULL
);
ALTER TABLE ONLY public.past_boundary_shape ALTER COLUMN geom SET STORAGE EXTERNAL;

CREATE TABLE public.past_shape_apart (
    arrangement smallint NOT NULL,
    boundary_id text NOT NULL,
    type text NOT NULL,
    admin_level smallint,
    arcs bigint[] NOT NULL,
    ring_end integer[] NOT NULL,
    polygon_end integer[] NOT NULL,
    arc_ids bigint[] NOT NULL,
    largest integer NOT NULL,
    west integer NOT NULL,
    south integer NOT NULL,
    east integer NOT NULL,
    north integer NOT NULL,
    lat integer NOT NULL,
    lon integer NOT NULL,
    area_km2 double precision NOT NULL,
    geometry_hash bytea NOT NULL,
    ring_hash bytea NOT NULL,
    recorded_in bigint,
    replaced_in bigint NOT NULL
);

CREATE TABLE public.past_source (
    id text NOT NULL,
    name text NOT NULL,
    url text,
    licence text NOT NULL,
    attribution text NOT NULL,
    resolution text,
    seed boolean NOT NULL,
    imported_at timestamp with time zone NOT NULL,
    data_at timestamp with time zone,
    reference_system text,
    accuracy_m double precision,
    "position" integer,
    edition text,
    land boolean NOT NULL,
    recorded_in bigint,
    replaced_in bigint NOT NULL
);

CREATE TABLE public.payment_event (
    id text NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.pool_of_the_gone (
    pool text NOT NULL,
    gone_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE UNLOGGED TABLE public.rate_window (
    subject text NOT NULL,
    minute bigint NOT NULL,
    taken integer NOT NULL,
    granted integer NOT NULL,
    allowed integer NOT NULL
);

CREATE TABLE public.review (
    id text NOT NULL,
    account text NOT NULL,
    response text,
    responded_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.review_version (
    review text NOT NULL,
    version integer NOT NULL,
    rating smallint NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    likes text NOT NULL,
    dislikes text NOT NULL,
    use_case text NOT NULL,
    display_name text NOT NULL,
    display_company text,
    marketing_consent boolean NOT NULL,
    length integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    published_at timestamp with time zone,
    CONSTRAINT review_version_rating_check CHECK (((rating >= 1) AND (rating <= 5)))
);

CREATE TABLE public.schema_migration (
    name text NOT NULL,
    sha256 text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.secret (
    name text NOT NULL,
    value text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.session (
    id text NOT NULL,
    hash bytea NOT NULL,
    account text NOT NULL,
    org text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    last_seen_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.set_arc (
    id bigint NOT NULL,
    hash bytea NOT NULL,
    coords bytea NOT NULL,
    weights bytea NOT NULL,
    ends bytea NOT NULL,
    exact integer NOT NULL,
    revision bigint NOT NULL,
    area double precision NOT NULL,
    turn double precision NOT NULL,
    box box NOT NULL,
    class smallint NOT NULL,
    main boolean NOT NULL,
    version bigint NOT NULL
);
ALTER TABLE ONLY public.set_arc ALTER COLUMN coords SET STORAGE EXTERNAL;

CREATE TABLE public.set_conflict (
    a bigint NOT NULL,
    b bigint NOT NULL,
    kind text NOT NULL,
    x integer NOT NULL,
    y integer NOT NULL,
    version bigint NOT NULL
);

CREATE TABLE public.set_name (
    boundary_id text NOT NULL,
    type text NOT NULL,
    lang text,
    folded text NOT NULL,
    ascii text,
    weight real NOT NULL,
    version_id bigint NOT NULL
);

CREATE TABLE public.set_shape (
    boundary_id text NOT NULL,
    arcs bigint[] NOT NULL,
    ring_end integer[] NOT NULL,
    polygon_end integer[] NOT NULL,
    arc_ids bigint[] NOT NULL,
    geom public.geometry(MultiPolygon,4326) NOT NULL,
    largest integer NOT NULL,
    version_id bigint NOT NULL
);
ALTER TABLE ONLY public.set_shape ALTER COLUMN geom SET STORAGE EXTERNAL;

CREATE VIEW public.set_source AS
 SELECT ('set:'::text || s.name) AS id,
    s.title AS name,
    v.id AS version,
    v.attribution,
    v.recorded_at
   FROM (public.area_set_version v
     JOIN public.area_set s ON ((s.id = v.area_set)))
  WHERE (v.id = ANY (public.read_versions()));

CREATE TABLE public.shape_apart (
    arrangement smallint NOT NULL,
    boundary_id text NOT NULL,
    type text NOT NULL,
    admin_level smallint,
    arcs bigint[] NOT NULL,
    ring_end integer[] NOT NULL,
    polygon_end integer[] NOT NULL,
    arc_ids bigint[] NOT NULL,
    largest integer NOT NULL,
    west integer NOT NULL,
    south integer NOT NULL,
    east integer NOT NULL,
    north integer NOT NULL,
    lat integer NOT NULL,
    lon integer NOT NULL,
    area_km2 double precision NOT NULL,
    geometry_hash bytea NOT NULL,
    ring_hash bytea NOT NULL,
    recorded_in bigint,
    CONSTRAINT shape_apart_arrangement_check CHECK ((arrangement > 0)),
    CONSTRAINT shape_apart_type_check CHECK ((type = ANY (ARRAY['administrative'::text, 'postal_code'::text])))
);

CREATE TABLE public.sign_in_link (
    browser_hash bytea NOT NULL,
    email text NOT NULL,
    next text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    id text NOT NULL
);

CREATE TABLE public.source (
    id text NOT NULL,
    name text NOT NULL,
    url text,
    licence text NOT NULL,
    attribution text NOT NULL,
    resolution text,
    seed boolean DEFAULT false NOT NULL,
    imported_at timestamp with time zone DEFAULT now() NOT NULL,
    data_at timestamp with time zone,
    reference_system text,
    accuracy_m double precision,
    "position" integer,
    edition text,
    land boolean DEFAULT false NOT NULL,
    recorded_in bigint
);

CREATE VIEW public.source_at AS
 SELECT source.id,
    source.name,
    source.url,
    source.licence,
    source.attribution,
    source.resolution,
    source.seed,
    source.imported_at,
    source.data_at,
    source.reference_system,
    source.accuracy_m,
    source."position",
    source.edition,
    source.land
   FROM public.source
UNION ALL
 SELECT e.id,
    e.name,
    e.url,
    e.licence,
    e.attribution,
    e.resolution,
    e.seed,
    e.imported_at,
    e.data_at,
    e.reference_system,
    e.accuracy_m,
    e."position",
    e.edition,
    e.land
   FROM public.edition_source e
  WHERE (NOT (EXISTS ( SELECT
           FROM public.source s
          WHERE (s.id = e.id))));

CREATE VIEW public.stored_boundary AS
 SELECT b.id,
    b.source,
    b.source_id,
    b.type,
    b.admin_level,
    s.seed
   FROM (public.boundary b
     JOIN public.source s ON ((s.id = b.source)));

CREATE TABLE public.subscription (
    id text NOT NULL,
    org text NOT NULL,
    customer text NOT NULL,
    state text NOT NULL,
    status text NOT NULL,
    price text,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT subscription_state_check CHECK ((state = ANY (ARRAY['live'::text, 'late'::text, 'ended'::text])))
);

CREATE TABLE public.team (
    id text NOT NULL,
    org text NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT team_slug_check CHECK ((slug ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'::text))
);

CREATE TABLE public.team_member (
    team text NOT NULL,
    org text NOT NULL,
    account text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.tile_selection (
    sha256 text NOT NULL,
    selection text NOT NULL,
    org text,
    used_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT tile_selection_selection_check CHECK ((length(selection) <= 300000)),
    CONSTRAINT tile_selection_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);

CREATE TABLE public.unit_month (
    pool text NOT NULL,
    month date NOT NULL,
    used bigint DEFAULT 0 NOT NULL,
    reserved bigint DEFAULT 0 NOT NULL,
    CONSTRAINT unit_month_reserved_check CHECK ((reserved >= 0)),
    CONSTRAINT unit_month_used_check CHECK ((used >= 0))
);

CREATE TABLE public.unit_reservation (
    id text NOT NULL,
    org text NOT NULL,
    month date NOT NULL,
    op text NOT NULL,
    units bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    pool text NOT NULL,
    CONSTRAINT unit_reservation_units_check CHECK ((units > 0))
);

CREATE TABLE public.unshaped (
    boundary_id text NOT NULL,
    extent public.geometry(Polygon,4326),
    country text,
    basis text
);

CREATE TABLE public.update_state (
    address text NOT NULL,
    sequence bigint,
    data_at timestamp with time zone,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.upstream_day (
    day date NOT NULL,
    requests bigint DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    anonymous_requests bigint DEFAULT 0 NOT NULL,
    anonymous_bytes bigint DEFAULT 0 NOT NULL,
    background_requests bigint DEFAULT 0 NOT NULL,
    background_bytes bigint DEFAULT 0 NOT NULL
);

CREATE TABLE public.upstream_fetch (
    key text NOT NULL,
    lease text,
    leased_until timestamp with time zone,
    server text,
    outcome text,
    ids text[],
    asked_at timestamp with time zone,
    holds_until timestamp with time zone,
    failure text,
    CONSTRAINT upstream_fetch_outcome_check CHECK ((outcome = ANY (ARRAY['found'::text, 'missing'::text, 'broken'::text])))
);

CREATE TABLE public.upstream_turn (
    server text NOT NULL,
    next_at timestamp with time zone NOT NULL
);

CREATE TABLE public.usage_by_op (
    org text NOT NULL,
    month date NOT NULL,
    op text NOT NULL,
    calls bigint DEFAULT 0 NOT NULL,
    units bigint DEFAULT 0 NOT NULL
);

CREATE VIEW public.usage_month AS
 SELECT unit_month.pool AS purse,
    unit_month.month,
    unit_month.used,
    unit_month.reserved
   FROM public.unit_month;

CREATE VIEW public.usage_reservation AS
 SELECT unit_reservation.id,
    unit_reservation.org,
    unit_reservation.month,
    unit_reservation.op,
    unit_reservation.units,
    unit_reservation.expires_at,
    unit_reservation.pool AS purse
   FROM public.unit_reservation;

CREATE TABLE public.webhook (
    id text NOT NULL,
    org text NOT NULL,
    url text NOT NULL,
    body text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    job text,
    lease_until timestamp with time zone,
    delivered_at timestamp with time zone,
    error text
);

CREATE VIEW public_as_of.arc AS
 SELECT arc_at.id,
    arc_at.hash,
    arc_at.coords,
    arc_at.weights,
    arc_at.ends,
    arc_at.exact,
    arc_at.revision,
    arc_at.area,
    arc_at.turn,
    arc_at.box,
    arc_at.class,
    arc_at.main,
    arc_at.reach,
    arc_at.reach_box,
    arc_at.arrangement
   FROM public.arc_at;

CREATE VIEW public_as_of.arc_conflict AS
 SELECT arc_conflict_at.a,
    arc_conflict_at.b,
    arc_conflict_at.kind,
    arc_conflict_at.x,
    arc_conflict_at.y
   FROM public.arc_conflict_at;

CREATE VIEW public_as_of.boundary AS
 SELECT boundary_at.id,
    boundary_at.source,
    boundary_at.source_id,
    boundary_at.source_version,
    boundary_at.version,
    boundary_at.imported_at,
    boundary_at.type,
    boundary_at.name,
    boundary_at.names,
    boundary_at.kind,
    boundary_at.kind_given,
    boundary_at.admin_level,
    boundary_at.country,
    boundary_at.countries,
    boundary_at.disputed,
    boundary_at.country_given,
    boundary_at.country_code,
    boundary_at.iso,
    boundary_at.wikidata,
    boundary_at.population,
    boundary_at.tags,
    boundary_at.place,
    boundary_at.subareas,
    boundary_at.other_names,
    boundary_at.codes,
    boundary_at.ways,
    boundary_at.west,
    boundary_at.south,
    boundary_at.east,
    boundary_at.north,
    boundary_at.lat,
    boundary_at.lon,
    boundary_at.area_km2,
    boundary_at.has_geometry,
    boundary_at.broken,
    boundary_at.stale,
    boundary_at.geometry_hash,
    boundary_at.ring_hash,
    boundary_at.meta_hash,
    boundary_at.kind_known,
    boundary_at.inherited,
    boundary_at.code_ids
   FROM public.boundary_at;

CREATE VIEW public_as_of.boundary_inland AS
 SELECT boundary_inland.boundary_id,
    boundary_inland.state,
    boundary_inland.reason,
    boundary_inland.lat,
    boundary_inland.lon
   FROM public.boundary_inland
  WHERE false;

CREATE VIEW public_as_of.boundary_land AS
 SELECT boundary_land.boundary_id,
    boundary_land.state,
    boundary_land.land_km2,
    boundary_land.reason,
    boundary_land.lat,
    boundary_land.lon
   FROM public.boundary_land
  WHERE false;

CREATE VIEW public_as_of.boundary_name AS
 SELECT boundary_name_at.boundary_id,
    boundary_name_at.type,
    boundary_name_at.lang,
    boundary_name_at.folded,
    boundary_name_at.ascii,
    boundary_name_at.weight
   FROM public.boundary_name_at;

CREATE VIEW public_as_of.boundary_parent AS
 SELECT boundary_parent_at.child,
    boundary_parent_at.parent,
    boundary_parent_at.share,
    boundary_parent_at."position",
    boundary_parent_at.derived
   FROM public.boundary_parent_at;

CREATE VIEW public_as_of.boundary_shape AS
 SELECT boundary_shape_at.boundary_id,
    boundary_shape_at.arcs,
    boundary_shape_at.ring_end,
    boundary_shape_at.polygon_end,
    boundary_shape_at.arc_ids,
    boundary_shape_at.geom,
    boundary_shape_at.largest
   FROM public.boundary_shape_at;

CREATE VIEW public_as_of.maritime_way AS
 SELECT maritime_way.id,
    maritime_way.coords
   FROM public.maritime_way
  WHERE false;

CREATE VIEW public_as_of.shape_apart AS
 SELECT shape_apart.arrangement,
    shape_apart.boundary_id,
    shape_apart.type,
    shape_apart.admin_level,
    shape_apart.arcs,
    shape_apart.ring_end,
    shape_apart.polygon_end,
    shape_apart.arc_ids,
    shape_apart.largest,
    shape_apart.west,
    shape_apart.south,
    shape_apart.east,
    shape_apart.north,
    shape_apart.lat,
    shape_apart.lon,
    shape_apart.area_km2,
    shape_apart.geometry_hash,
    shape_apart.ring_hash
   FROM public.shape_apart
  WHERE false;

CREATE VIEW public_as_of.source AS
 SELECT source_at.id,
    source_at.name,
    source_at.url,
    source_at.licence,
    source_at.attribution,
    source_at.resolution,
    source_at.seed,
    source_at.imported_at,
    source_at.data_at,
    source_at.reference_system,
    source_at.accuracy_m,
    source_at."position",
    source_at.edition,
    source_at.land
   FROM public.source_at;

CREATE VIEW public_as_of_sets.arc AS
 SELECT u.id,
    u.hash,
    u.coords,
    u.weights,
    u.ends,
    u.exact,
    u.revision,
    u.area,
    u.turn,
    u.box,
    u.class,
    u.main,
    u.reach,
    u.reach_box,
    u.arrangement
   FROM ( SELECT arc.id,
            arc.hash,
            arc.coords,
            arc.weights,
            arc.ends,
            arc.exact,
            arc.revision,
            arc.area,
            arc.turn,
            arc.box,
            arc.class,
            arc.main,
            arc.reach,
            arc.reach_box,
            arc.arrangement,
            (0)::bigint AS of_version
           FROM public_as_of.arc
        UNION ALL
         SELECT set_arc.id,
            set_arc.hash,
            set_arc.coords,
            set_arc.weights,
            set_arc.ends,
            set_arc.exact,
            set_arc.revision,
            set_arc.area,
            set_arc.turn,
            set_arc.box,
            set_arc.class,
            set_arc.main,
            '\x'::bytea AS bytea,
            NULL::box AS box,
            (0)::smallint AS int2,
            set_arc.version
           FROM public.set_arc) u
  WHERE (u.of_version = ANY (public.read_branches()));

CREATE VIEW public_as_of_sets.arc_conflict AS
 SELECT u.a,
    u.b,
    u.kind,
    u.x,
    u.y
   FROM ( SELECT arc_conflict.a,
            arc_conflict.b,
            arc_conflict.kind,
            arc_conflict.x,
            arc_conflict.y,
            (0)::bigint AS of_version
           FROM public_as_of.arc_conflict
        UNION ALL
         SELECT set_conflict.a,
            set_conflict.b,
            set_conflict.kind,
            set_conflict.x,
            set_conflict.y,
            set_conflict.version
           FROM public.set_conflict) u
  WHERE (u.of_version = ANY (public.read_branches()));

CREATE VIEW public_as_of_sets.boundary AS
 SELECT u.id,
    u.source,
    u.source_id,
    u.source_version,
        CASE
            WHEN (u.state IS NULL) THEN u.version
            ELSE (to_char((public.state_since(u.state, ( SELECT public.today_as_of() AS today_as_of)))::timestamp with time zone, 'YYYYMMDD'::text))::integer
        END AS version,
        CASE
            WHEN (u.state IS NULL) THEN u.imported_at
            ELSE ((public.state_since(u.state, ( SELECT public.today_as_of() AS today_as_of)))::timestamp without time zone AT TIME ZONE 'UTC'::text)
        END AS imported_at,
    u.type,
    u.name,
    u.names,
    u.kind,
    u.kind_given,
    u.admin_level,
    u.country,
    u.countries,
    u.disputed,
    u.country_given,
    u.country_code,
    u.iso,
    u.wikidata,
    u.population,
    u.tags,
    u.place,
    u.subareas,
    u.other_names,
    u.codes,
    u.ways,
    u.west,
    u.south,
    u.east,
    u.north,
    u.lat,
    u.lon,
    u.area_km2,
    u.has_geometry,
    u.broken,
    u.stale,
    u.geometry_hash,
        CASE
            WHEN (u.state IS NULL) THEN u.ring_hash
            ELSE ( SELECT sha256((s.hash || convert_to(public.arrangement_of_layer(u.source, u.type, u.admin_level), 'UTF8'::name))) AS sha256
               FROM public.edition_shape s
              WHERE (s.id = u.shape))
        END AS ring_hash,
    u.meta_hash,
    u.kind_known,
    u.inherited,
    u.code_ids
   FROM ( SELECT b.state,
            b.shape,
            (0)::bigint AS of_version,
            b.id,
            b.source,
            b.source_id,
            b.source_version,
            b.version,
            b.imported_at,
            b.type,
            b.name,
            b.names,
            b.kind,
            b.kind_given,
            b.admin_level,
            b.country,
            b.countries,
            b.disputed,
            b.country_given,
            b.country_code,
            b.iso,
            b.wikidata,
            b.population,
            b.tags,
            b.place,
            b.subareas,
            b.other_names,
            b.codes,
            b.ways,
            b.west,
            b.south,
            b.east,
            b.north,
            b.lat,
            b.lon,
            b.area_km2,
            b.has_geometry,
            b.broken,
            b.stale,
            b.geometry_hash,
            b.ring_hash,
            b.state_hash AS meta_hash,
            b.kind_known,
            b.inherited,
            b.code_ids
           FROM public.edition_boundary b
        UNION ALL
         SELECT NULL::bigint AS int8,
            NULL::bigint AS int8,
            (0)::bigint AS int8,
            b.id,
            b.source,
            b.source_id,
            b.source_version,
            b.version,
            b.imported_at,
            b.type,
            b.name,
            b.names,
            b.kind,
            b.kind_given,
            b.admin_level,
            b.country,
            b.countries,
            b.disputed,
            b.country_given,
            b.country_code,
            b.iso,
            b.wikidata,
            b.population,
            b.tags,
            b.place,
            b.subareas,
            b.other_names,
            b.codes,
            b.ways,
            b.west,
            b.south,
            b.east,
            b.north,
            b.lat,
            b.lon,
            b.area_km2,
            b.has_geometry,
            b.broken,
            b.stale,
            b.geometry_hash,
            b.ring_hash,
            b.meta_hash,
            b.kind_known,
            b.inherited,
            b.code_ids
           FROM public.boundary b
        UNION ALL
         SELECT NULL::bigint AS int8,
            NULL::bigint AS int8,
            b.version_id,
            b.id,
            b.source,
            b.source_id,
            b.source_version,
            b.version,
            b.imported_at,
            b.type,
            b.name,
            b.names,
            b.kind,
            b.kind_given,
            b.admin_level,
            b.country,
            b.countries,
            b.disputed,
            b.country_given,
            b.country_code,
            b.iso,
            b.wikidata,
            b.population,
            b.tags,
            b.place,
            b.subareas,
            b.other_names,
            b.codes,
            b.ways,
            b.west,
            b.south,
            b.east,
            b.north,
            b.lat,
            b.lon,
            b.area_km2,
            b.has_geometry,
            b.broken,
            b.stale,
            b.geometry_hash,
            b.ring_hash,
            b.meta_hash,
            b.kind_known,
            b.inherited,
            b.code_ids
           FROM public.set_boundary b) u
  WHERE ((u.of_version = ANY (public.read_branches())) AND
        CASE
            WHEN (u.of_version <> 0) THEN true
            WHEN (u.state IS NULL) THEN
            CASE ( SELECT public.today_as_of() AS today_as_of)
                WHEN 0 THEN false
                WHEN 2 THEN true
                ELSE public.lasts_as_of(u.id, u.source, u.type, u.admin_level, u.imported_at)
            END
            ELSE (public.state_since(u.state, ( SELECT public.today_as_of() AS today_as_of)) IS NOT NULL)
        END);

CREATE VIEW public_as_of_sets.boundary_alias AS
 SELECT boundary_alias.id,
    boundary_alias.boundary_id
   FROM public.boundary_alias
  WHERE public.reads_official();

CREATE VIEW public_as_of_sets.boundary_inland AS
 SELECT boundary_inland.boundary_id,
    boundary_inland.state,
    boundary_inland.reason,
    boundary_inland.lat,
    boundary_inland.lon
   FROM public.boundary_inland
  WHERE false;

CREATE VIEW public_as_of_sets.boundary_land AS
 SELECT boundary_land.boundary_id,
    boundary_land.state,
    boundary_land.land_km2,
    boundary_land.reason,
    boundary_land.lat,
    boundary_land.lon
   FROM public_as_of.boundary_land
  WHERE public.reads_official();

CREATE VIEW public_as_of_sets.boundary_name AS
 SELECT u.boundary_id,
    u.type,
    u.lang,
    u.folded,
    u.ascii,
    u.weight
   FROM ( SELECT n.state,
            (0)::bigint AS of_version,
            n.boundary_id,
            n.type,
            n.lang,
            n.folded,
            n.ascii,
            n.weight
           FROM public.edition_name n
        UNION ALL
         SELECT NULL::bigint AS int8,
            (0)::bigint AS int8,
            n.boundary_id,
            n.type,
            n.lang,
            n.folded,
            n.ascii,
            n.weight
           FROM public.boundary_name n
        UNION ALL
         SELECT NULL::bigint AS int8,
            n.version_id,
            n.boundary_id,
            n.type,
            n.lang,
            n.folded,
            n.ascii,
            n.weight
           FROM public.set_name n) u
  WHERE ((u.of_version = ANY (public.read_branches())) AND
        CASE
            WHEN (u.of_version <> 0) THEN true
            WHEN (u.state IS NULL) THEN
            CASE ( SELECT public.today_as_of() AS today_as_of)
                WHEN 0 THEN false
                WHEN 2 THEN true
                ELSE public.today_has_as_of(u.boundary_id)
            END
            ELSE (public.state_since(u.state, ( SELECT public.today_as_of() AS today_as_of)) IS NOT NULL)
        END);

CREATE VIEW public_as_of_sets.boundary_parent AS
 SELECT boundary_parent.child,
    boundary_parent.parent,
    boundary_parent.share,
    boundary_parent."position",
    boundary_parent.derived
   FROM public_as_of.boundary_parent
  WHERE public.reads_official();

CREATE VIEW public_as_of_sets.boundary_shape AS
 SELECT u.boundary_id,
        CASE
            WHEN (u.state IS NULL) THEN u.arcs
            ELSE ( SELECT s.arcs
               FROM public.edition_shape s
              WHERE (s.id = u.shape))
        END AS arcs,
        CASE
            WHEN (u.state IS NULL) THEN u.ring_end
            ELSE ( SELECT s.ring_end
               FROM public.edition_shape s
              WHERE (s.id = u.shape))
        END AS ring_end,
        CASE
            WHEN (u.state IS NULL) THEN u.polygon_end
            ELSE ( SELECT s.polygon_end
               FROM public.edition_shape s
              WHERE (s.id = u.shape))
        END AS polygon_end,
    u.arc_ids,
    u.geom,
        CASE
            WHEN (u.state IS NULL) THEN u.largest
            ELSE ( SELECT s.largest
               FROM public.edition_shape s
              WHERE (s.id = u.shape))
        END AS largest
   FROM ( SELECT b.state,
            b.shape,
            (0)::bigint AS of_version,
            b.id AS boundary_id,
            NULL::bigint[] AS arcs,
            NULL::integer[] AS ring_end,
            NULL::integer[] AS polygon_end,
            b.arc_ids,
            b.geom,
            NULL::integer AS largest
           FROM public.edition_boundary b
        UNION ALL
         SELECT NULL::bigint AS int8,
            NULL::bigint AS int8,
            (0)::bigint AS int8,
            s.boundary_id,
            s.arcs,
            s.ring_end,
            s.polygon_end,
            s.arc_ids,
            s.geom,
            s.largest
           FROM public.boundary_shape s
        UNION ALL
         SELECT NULL::bigint AS int8,
            NULL::bigint AS int8,
            s.version_id,
            s.boundary_id,
            s.arcs,
            s.ring_end,
            s.polygon_end,
            s.arc_ids,
            s.geom,
            s.largest
           FROM public.set_shape s) u
  WHERE ((u.of_version = ANY (public.read_branches())) AND
        CASE
            WHEN (u.of_version <> 0) THEN true
            WHEN (u.state IS NULL) THEN
            CASE ( SELECT public.today_as_of() AS today_as_of)
                WHEN 0 THEN false
                WHEN 2 THEN true
                ELSE public.today_has_as_of(u.boundary_id)
            END
            ELSE ((u.shape IS NOT NULL) AND (public.state_since(u.state, ( SELECT public.today_as_of() AS today_as_of)) IS NOT NULL))
        END);

CREATE VIEW public_as_of_sets.maritime_way AS
 SELECT maritime_way.id,
    maritime_way.coords
   FROM public.maritime_way
  WHERE false;

CREATE VIEW public_as_of_sets.shape_apart AS
 SELECT shape_apart.arrangement,
    shape_apart.boundary_id,
    shape_apart.type,
    shape_apart.admin_level,
    shape_apart.arcs,
    shape_apart.ring_end,
    shape_apart.polygon_end,
    shape_apart.arc_ids,
    shape_apart.largest,
    shape_apart.west,
    shape_apart.south,
    shape_apart.east,
    shape_apart.north,
    shape_apart.lat,
    shape_apart.lon,
    shape_apart.area_km2,
    shape_apart.geometry_hash,
    shape_apart.ring_hash
   FROM public_as_of.shape_apart
  WHERE public.reads_official();

CREATE VIEW public_as_of_sets.source AS
 SELECT source.id,
    source.name,
    source.url,
    source.licence,
    source.attribution,
    source.resolution,
    source.seed,
    source.imported_at,
    source.data_at,
    source.reference_system,
    source.accuracy_m,
    source."position",
    source.edition,
    source.land
   FROM public_as_of.source
  WHERE public.reads_official()
UNION ALL
 SELECT set_source.id,
    set_source.name,
    NULL::text AS url,
    ''::text AS licence,
    set_source.attribution,
    NULL::text AS resolution,
    false AS seed,
    set_source.recorded_at AS imported_at,
    NULL::timestamp with time zone AS data_at,
    NULL::text AS reference_system,
    NULL::double precision AS accuracy_m,
    2147483647 AS "position",
    NULL::text AS edition,
    false AS land
   FROM public.set_source;

CREATE VIEW public_pin.arc AS
 SELECT u.id,
    u.hash,
    u.coords,
    u.weights,
    u.ends,
    u.exact,
    (- u.revision) AS revision,
    u.area,
    u.turn,
    u.box,
    u.class,
    u.main,
    u.reach,
    u.reach_box,
    u.arrangement
   FROM ( SELECT arc.id,
            arc.hash,
            arc.coords,
            arc.weights,
            arc.ends,
            arc.exact,
            arc.revision,
            arc.area,
            arc.turn,
            arc.box,
            arc.class,
            arc.main,
            arc.reach,
            arc.reach_box,
            arc.arrangement,
            arc.recorded_in,
            NULL::bigint AS replaced_in
           FROM public.arc
        UNION ALL
         SELECT past_arc.id,
            past_arc.hash,
            past_arc.coords,
            past_arc.weights,
            past_arc.ends,
            past_arc.exact,
            past_arc.revision,
            past_arc.area,
            past_arc.turn,
            past_arc.box,
            past_arc.class,
            past_arc.main,
            past_arc.reach,
            past_arc.reach_box,
            past_arc.arrangement,
            past_arc.recorded_in,
            past_arc.replaced_in
           FROM public.past_arc) u
  WHERE (public.was_recorded(u.recorded_in) AND ((u.replaced_in IS NULL) OR (NOT public.was_recorded(u.replaced_in))));

CREATE VIEW public_pin.arc_at AS
 SELECT u.id,
    u.hash,
    u.coords,
    u.weights,
    u.ends,
    u.exact,
    u.revision,
    u.area,
    u.turn,
    u.box,
    u.class,
    u.main,
    u.reach,
    u.reach_box,
    u.arrangement
   FROM ( SELECT a.id,
            a.hash,
            a.coords,
            a.weights,
            a.ends,
            a.exact,
            (- a.revision) AS revision,
            a.area,
            a.turn,
            a.box,
            a.class,
            a.main,
            a.reach,
            a.reach_box,
            a.arrangement,
            a.recorded_in,
            NULL::bigint AS replaced_in
           FROM public.arc a
        UNION ALL
         SELECT a.id,
            a.hash,
            a.coords,
            a.weights,
            a.ends,
            a.exact,
            (- a.revision),
            a.area,
            a.turn,
            a.box,
            a.class,
            a.main,
            a.reach,
            a.reach_box,
            a.arrangement,
            a.recorded_in,
            a.replaced_in
           FROM public.past_arc a
        UNION ALL
         SELECT a.id,
            a.hash,
            a.coords,
            a.weights,
            a.ends,
            a.exact,
            a.revision,
            a.area,
            a.turn,
            a.box,
            a.class,
            a.main,
            decode(''::text, 'hex'::text) AS decode,
            NULL::box AS box,
            (0)::smallint AS int2,
            NULL::bigint AS int8,
            NULL::bigint AS int8
           FROM public.edition_arc a) u
  WHERE (public.was_recorded(u.recorded_in) AND ((u.replaced_in IS NULL) OR (NOT public.was_recorded(u.replaced_in))));

CREATE VIEW public_pin.arc_conflict AS
 SELECT u.a,
    u.b,
    u.kind,
    u.x,
    u.y
   FROM ( SELECT arc_conflict.a,
            arc_conflict.b,
            arc_conflict.kind,
            arc_conflict.x,
            arc_conflict.y,
            arc_conflict.recorded_in,
            NULL::bigint AS replaced_in
           FROM public.arc_conflict
        UNION ALL
         SELECT past_arc_conflict.a,
            past_arc_conflict.b,
            past_arc_conflict.kind,
            past_arc_conflict.x,
            past_arc_conflict.y,
            past_arc_conflict.recorded_in,
            past_arc_conflict.replaced_in
           FROM public.past_arc_conflict) u
  WHERE true;

CREATE VIEW public_pin.arc_conflict_at AS
 SELECT arc_conflict.a,
    arc_conflict.b,
    arc_conflict.kind,
    arc_conflict.x,
    arc_conflict.y
   FROM public_pin.arc_conflict
UNION ALL
 SELECT edition_conflict.a,
    edition_conflict.b,
    edition_conflict.kind,
    edition_conflict.x,
    edition_conflict.y
   FROM public.edition_conflict;

CREATE VIEW public_pin.boundary_alias AS
 SELECT u.id,
    u.boundary_id
   FROM ( SELECT boundary_alias.id,
            boundary_alias.boundary_id,
            boundary_alias.recorded_in,
            NULL::bigint AS replaced_in
           FROM public.boundary_alias
        UNION ALL
         SELECT past_boundary_alias.id,
            past_boundary_alias.boundary_id,
            past_boundary_alias.recorded_in,
            past_boundary_alias.replaced_in
           FROM public.past_boundary_alias) u
  WHERE (public.was_recorded(u.recorded_in) AND ((u.replaced_in IS NULL) OR (NOT public.was_recorded(u.replaced_in))));

CREATE VIEW public_pin.boundary_at AS
 SELECT u.id,
    u.source,
    u.source_id,
    u.source_version,
        CASE
            WHEN (u.state IS NULL) THEN u.version
            ELSE (to_char((public_pin.state_since(u.state, ( SELECT public_pin.today_as_of() AS today_as_of)))::timestamp with time zone, 'YYYYMMDD'::text))::integer
        END AS version,
        CASE
            WHEN (u.state IS NULL) THEN u.imported_at
            ELSE ((public_pin.state_since(u.state, ( SELECT public_pin.today_as_of() AS today_as_of)))::timestamp without time zone AT TIME ZONE 'UTC'::text)
        END AS imported_at,
    u.type,
    u.name,
    u.names,
    u.kind,
    u.kind_given,
    u.admin_level,
    u.country,
    u.countries,
    u.disputed,
    u.country_given,
    u.country_code,
    u.iso,
    u.wikidata,
    u.population,
    u.tags,
    u.place,
    u.subareas,
    u.other_names,
    u.codes,
    u.ways,
    u.west,
    u.south,
    u.east,
    u.north,
    u.lat,
    u.lon,
    u.area_km2,
    u.has_geometry,
    u.broken,
    u.stale,
    u.geometry_hash,
        CASE
            WHEN (u.state IS NULL) THEN u.ring_hash
            ELSE ( SELECT sha256((s.hash || convert_to(public_pin.arrangement_of_layer(u.source, u.type, u.admin_level), 'UTF8'::name))) AS sha256
               FROM public.edition_shape s
              WHERE (s.id = u.shape))
        END AS ring_hash,
    u.meta_hash,
    u.kind_known,
    u.inherited,
    u.code_ids
   FROM ( SELECT b.state,
            b.shape,
            NULL::bigint AS recorded_in,
            NULL::bigint AS replaced_in,
            b.id,
            b.source,
            b.source_id,
            b.source_version,
            b.version,
            b.imported_at,
            b.type,
            b.name,
            b.names,
            b.kind,
            b.kind_given,
            b.admin_level,
            b.country,
            b.countries,
            b.disputed,
            b.country_given,
            b.country_code,
            b.iso,
            b.wikidata,
            b.population,
            b.tags,
            b.place,
            b.subareas,
            b.other_names,
            b.codes,
            b.ways,
            b.west,
            b.south,
            b.east,
            b.north,
            b.lat,
            b.lon,
            b.area_km2,
            b.has_geometry,
            b.broken,
            b.stale,
            b.geometry_hash,
            b.ring_hash,
            b.state_hash AS meta_hash,
            b.kind_known,
            b.inherited,
            b.code_ids
           FROM public.edition_boundary b
        UNION ALL
         SELECT NULL::bigint AS int8,
            NULL::bigint AS int8,
            b.recorded_in,
            NULL::bigint AS int8,
            b.id,
            b.source,
            b.source_id,
            b.source_version,
            b.version,
            b.imported_at,
            b.type,
            b.name,
            b.names,
            b.kind,
            b.kind_given,
            b.admin_level,
            b.country,
            b.countries,
            b.disputed,
            b.country_given,
            b.country_code,
            b.iso,
            b.wikidata,
            b.population,
            b.tags,
            b.place,
            b.subareas,
            b.other_names,
            b.codes,
            b.ways,
            b.west,
            b.south,
            b.east,
            b.north,
            b.lat,
            b.lon,
            b.area_km2,
            b.has_geometry,
            b.broken,
            b.stale,
            b.geometry_hash,
            sha256((b.ring_hash || '\x70617374'::bytea)) AS sha256,
            b.meta_hash,
            b.kind_known,
            b.inherited,
            b.code_ids
           FROM public.boundary b
        UNION ALL
         SELECT NULL::bigint AS int8,
            NULL::bigint AS int8,
            b.recorded_in,
            b.replaced_in,
            b.id,
            b.source,
            b.source_id,
            b.source_version,
            b.version,
            b.imported_at,
            b.type,
            b.name,
            b.names,
            b.kind,
            b.kind_given,
            b.admin_level,
            b.country,
            b.countries,
            b.disputed,
            b.country_given,
            b.country_code,
            b.iso,
            b.wikidata,
            b.population,
            b.tags,
            b.place,
            b.subareas,
            b.other_names,
            b.codes,
            b.ways,
            b.west,
            b.south,
            b.east,
            b.north,
            b.lat,
            b.lon,
            b.area_km2,
            b.has_geometry,
            b.broken,
            b.stale,
            b.geometry_hash,
            sha256((b.ring_hash || '\x70617374'::bytea)) AS sha256,
            b.meta_hash,
            b.kind_known,
            b.inherited,
            b.code_ids
           FROM public.past_boundary b) u
  WHERE
        CASE
            WHEN (u.state IS NOT NULL) THEN (public_pin.state_since(u.state, ( SELECT public_pin.today_as_of() AS today_as_of)) IS NOT NULL)
            WHEN ((NOT public.was_recorded(u.recorded_in)) OR ((u.replaced_in IS NOT NULL) AND public.was_recorded(u.replaced_in))) THEN false
            ELSE
            CASE ( SELECT public_pin.today_as_of() AS today_as_of)
                WHEN 0 THEN false
                WHEN 2 THEN true
                ELSE public_pin.lasts_as_of(u.id, u.source, u.type, u.admin_level, u.imported_at)
            END
        END;

CREATE VIEW public_pin.boundary_gone AS
 SELECT u.id,
    u.version,
    u.reason,
    u.gone_at,
    u.name,
    u.type,
    u.kind,
    u.admin_level,
    u.country,
    u.wikidata,
    u.iso,
    u.replaced_by,
    u.ways
   FROM ( SELECT boundary_gone.id,
            boundary_gone.version,
            boundary_gone.reason,
            boundary_gone.gone_at,
            boundary_gone.name,
            boundary_gone.type,
            boundary_gone.kind,
            boundary_gone.admin_level,
            boundary_gone.country,
            boundary_gone.wikidata,
            boundary_gone.iso,
            boundary_gone.replaced_by,
            boundary_gone.ways,
            boundary_gone.recorded_in,
            NULL::bigint AS replaced_in
           FROM public.boundary_gone
        UNION ALL
         SELECT past_boundary_gone.id,
            past_boundary_gone.version,
            past_boundary_gone.reason,
            past_boundary_gone.gone_at,
            past_boundary_gone.name,
            past_boundary_gone.type,
            past_boundary_gone.kind,
            past_boundary_gone.admin_level,
            past_boundary_gone.country,
            past_boundary_gone.wikidata,
            past_boundary_gone.iso,
            past_boundary_gone.replaced_by,
            past_boundary_gone.ways,
            past_boundary_gone.recorded_in,
            past_boundary_gone.replaced_in
           FROM public.past_boundary_gone) u
  WHERE (public.was_recorded(u.recorded_in) AND ((u.replaced_in IS NULL) OR (NOT public.was_recorded(u.replaced_in))));

CREATE VIEW public_pin.boundary_inland AS
 SELECT boundary_inland.boundary_id,
    boundary_inland.state,
    boundary_inland.reason,
    boundary_inland.lat,
    boundary_inland.lon
   FROM public.boundary_inland
  WHERE false;

CREATE VIEW public_pin.boundary_land AS
 SELECT u.boundary_id,
    u.state,
    u.land_km2,
    u.reason,
    u.lat,
    u.lon
   FROM ( SELECT boundary_land.boundary_id,
            boundary_land.state,
            boundary_land.land_km2,
            boundary_land.reason,
            boundary_land.lat,
            boundary_land.lon,
            boundary_land.recorded_in,
            NULL::bigint AS replaced_in
           FROM public.boundary_land
        UNION ALL
         SELECT past_boundary_land.boundary_id,
            past_boundary_land.state,
            past_boundary_land.land_km2,
            past_boundary_land.reason,
            past_boundary_land.lat,
            past_boundary_land.lon,
            past_boundary_land.recorded_in,
            past_boundary_land.replaced_in
           FROM public.past_boundary_land) u
  WHERE (public.was_recorded(u.recorded_in) AND ((u.replaced_in IS NULL) OR (NOT public.was_recorded(u.replaced_in))));

CREATE VIEW public_pin.boundary_name AS
 SELECT u.boundary_id,
    u.type,
    u.lang,
    u.folded,
    u.ascii,
    u.weight
   FROM ( SELECT boundary_name.boundary_id,
            boundary_name.type,
            boundary_name.lang,
            boundary_name.folded,
            boundary_name.ascii,
            boundary_name.weight,
            boundary_name.recorded_in,
            NULL::bigint AS replaced_in
           FROM public.boundary_name
        UNION ALL
         SELECT past_boundary_name.boundary_id,
            past_boundary_name.type,
            past_boundary_name.lang,
            past_boundary_name.folded,
            past_boundary_name.ascii,
            past_boundary_name.weight,
            past_boundary_name.recorded_in,
            past_boundary_name.replaced_in
           FROM public.past_boundary_name) u
  WHERE (public.was_recorded(u.recorded_in) AND ((u.replaced_in IS NULL) OR (NOT public.was_recorded(u.replaced_in))));

CREATE VIEW public_pin.boundary_name_at AS
 SELECT u.boundary_id,
    u.type,
    u.lang,
    u.folded,
    u.ascii,
    u.weight
   FROM ( SELECT n.state,
            NULL::bigint AS recorded_in,
            NULL::bigint AS replaced_in,
            n.boundary_id,
            n.type,
            n.lang,
            n.folded,
            n.ascii,
            n.weight
           FROM public.edition_name n
        UNION ALL
         SELECT NULL::bigint AS int8,
            n.recorded_in,
            NULL::bigint AS int8,
            n.boundary_id,
            n.type,
            n.lang,
            n.folded,
            n.ascii,
            n.weight
           FROM public.boundary_name n
        UNION ALL
         SELECT NULL::bigint AS int8,
            n.recorded_in,
            n.replaced_in,
            n.boundary_id,
            n.type,
            n.lang,
            n.folded,
            n.ascii,
            n.weight
           FROM public.past_boundary_name n) u
  WHERE
        CASE
            WHEN (u.state IS NOT NULL) THEN (public_pin.state_since(u.state, ( SELECT public_pin.today_as_of() AS today_as_of)) IS NOT NULL)
            WHEN ((NOT public.was_recorded(u.recorded_in)) OR ((u.replaced_in IS NOT NULL) AND public.was_recorded(u.replaced_in))) THEN false
            ELSE
            CASE ( SELECT public_pin.today_as_of() AS today_as_of)
                WHEN 0 THEN false
                WHEN 2 THEN true
                ELSE public_pin.today_has_as_of(u.boundary_id)
            END
        END;

CREATE VIEW public_pin.boundary_parent AS
 SELECT u.child,
    u.parent,
    u.share,
    u."position",
    u.derived
   FROM ( SELECT boundary_parent.child,
            boundary_parent.parent,
            boundary_parent.share,
            boundary_parent."position",
            boundary_parent.derived,
            boundary_parent.recorded_in,
            NULL::bigint AS replaced_in
           FROM public.boundary_parent
        UNION ALL
         SELECT past_boundary_parent.child,
            past_boundary_parent.parent,
            past_boundary_parent.share,
            past_boundary_parent."position",
            past_boundary_parent.derived,
            past_boundary_parent.recorded_in,
            past_boundary_parent.replaced_in
           FROM public.past_boundary_parent) u
  WHERE (public.was_recorded(u.recorded_in) AND ((u.replaced_in IS NULL) OR (NOT public.was_recorded(u.replaced_in))));

CREATE VIEW public_pin.boundary_parent_at AS
 SELECT u.child,
    u.parent,
    u.share,
    u."position",
    u.derived
   FROM ( SELECT p.state,
            NULL::bigint AS recorded_in,
            NULL::bigint AS replaced_in,
            p.child,
            p.parent,
            p.share,
            p."position",
            p.derived
           FROM public.edition_parent p
        UNION ALL
         SELECT NULL::bigint AS int8,
            p.recorded_in,
            NULL::bigint AS int8,
            p.child,
            p.parent,
            p.share,
            p."position",
            p.derived
           FROM public.boundary_parent p
        UNION ALL
         SELECT NULL::bigint AS int8,
            p.recorded_in,
            p.replaced_in,
            p.child,
            p.parent,
            p.share,
            p."position",
            p.derived
           FROM public.past_boundary_parent p) u
  WHERE
        CASE
            WHEN (u.state IS NOT NULL) THEN (public_pin.state_since(u.state, ( SELECT public_pin.today_as_of() AS today_as_of)) IS NOT NULL)
            WHEN ((NOT public.was_recorded(u.recorded_in)) OR ((u.replaced_in IS NOT NULL) AND public.was_recorded(u.replaced_in))) THEN false
            ELSE
            CASE ( SELECT public_pin.today_as_of() AS today_as_of)
                WHEN 0 THEN false
                WHEN 2 THEN true
                ELSE (public_pin.today_has_as_of(u.child) AND public_pin.today_has_as_of(u.parent))
            END
        END;

CREATE VIEW public_pin.boundary_shape AS
 SELECT u.boundary_id,
    u.arcs,
    u.ring_end,
    u.polygon_end,
    u.arc_ids,
    u.geom,
    u.largest
   FROM ( SELECT boundary_shape.boundary_id,
            boundary_shape.arcs,
            boundary_shape.ring_end,
            boundary_shape.polygon_end,
            boundary_shape.arc_ids,
            boundary_shape.geom,
            boundary_shape.largest,
            boundary_shape.recorded_in,
            NULL::bigint AS replaced_in
           FROM public.boundary_shape
        UNION ALL
         SELECT past_boundary_shape.boundary_id,
            past_boundary_shape.arcs,
            past_boundary_shape.ring_end,
            past_boundary_shape.polygon_end,
            past_boundary_shape.arc_ids,
            past_boundary_shape.geom,
            past_boundary_shape.largest,
            past_boundary_shape.recorded_in,
            past_boundary_shape.replaced_in
           FROM public.past_boundary_shape) u
  WHERE (public.was_recorded(u.recorded_in) AND ((u.replaced_in IS NULL) OR (NOT public.was_recorded(u.replaced_in))));

CREATE VIEW public_pin.boundary_shape_at AS
 SELECT u.boundary_id,
        CASE
            WHEN (u.state IS NULL) THEN u.arcs
            ELSE ( SELECT s.arcs
               FROM public.edition_shape s
              WHERE (s.id = u.shape))
        END AS arcs,
        CASE
            WHEN (u.state IS NULL) THEN u.ring_end
            ELSE ( SELECT s.ring_end
               FROM public.edition_shape s
              WHERE (s.id = u.shape))
        END AS ring_end,
        CASE
            WHEN (u.state IS NULL) THEN u.polygon_end
            ELSE ( SELECT s.polygon_end
               FROM public.edition_shape s
              WHERE (s.id = u.shape))
        END AS polygon_end,
    u.arc_ids,
    u.geom,
        CASE
            WHEN (u.state IS NULL) THEN u.largest
            ELSE ( SELECT s.largest
               FROM public.edition_shape s
              WHERE (s.id = u.shape))
        END AS largest
   FROM ( SELECT b.state,
            b.shape,
            NULL::bigint AS recorded_in,
            NULL::bigint AS replaced_in,
            b.id AS boundary_id,
            NULL::bigint[] AS arcs,
            NULL::integer[] AS ring_end,
            NULL::integer[] AS polygon_end,
            b.arc_ids,
            b.geom,
            NULL::integer AS largest
           FROM public.edition_boundary b
        UNION ALL
         SELECT NULL::bigint AS int8,
            NULL::bigint AS int8,
            s.recorded_in,
            NULL::bigint AS int8,
            s.boundary_id,
            s.arcs,
            s.ring_end,
            s.polygon_end,
            s.arc_ids,
            s.geom,
            s.largest
           FROM public.boundary_shape s
        UNION ALL
         SELECT NULL::bigint AS int8,
            NULL::bigint AS int8,
            s.recorded_in,
            s.replaced_in,
            s.boundary_id,
            s.arcs,
            s.ring_end,
            s.polygon_end,
            s.arc_ids,
            s.geom,
            s.largest
           FROM public.past_boundary_shape s) u
  WHERE
        CASE
            WHEN (u.state IS NOT NULL) THEN ((u.shape IS NOT NULL) AND (public_pin.state_since(u.state, ( SELECT public_pin.today_as_of() AS today_as_of)) IS NOT NULL))
            WHEN ((NOT public.was_recorded(u.recorded_in)) OR ((u.replaced_in IS NOT NULL) AND public.was_recorded(u.replaced_in))) THEN false
            ELSE
            CASE ( SELECT public_pin.today_as_of() AS today_as_of)
                WHEN 0 THEN false
                WHEN 2 THEN true
                ELSE public_pin.today_has_as_of(u.boundary_id)
            END
        END;

CREATE VIEW public_pin.boundary_today_at AS
 SELECT boundary_today_span.id
   FROM public_pin.boundary_today_span
  WHERE ((boundary_today_span.valid_from <= public.as_of_date()) AND ((boundary_today_span.valid_to IS NULL) OR (boundary_today_span.valid_to > public.as_of_date())));

CREATE VIEW public_pin.edition_state_at AS
 SELECT i.state,
    i.boundary_id,
    i.source,
    i.valid_from
   FROM public_pin.edition_interval i
  WHERE ((i.recorded_to IS NULL) AND (i.valid_from <= public.as_of_date()) AND ((i.valid_to IS NULL) OR (i.valid_to > public.as_of_date())) AND (NOT (EXISTS ( SELECT
           FROM public_pin.boundary_today_at t
          WHERE (t.id = i.boundary_id)))));

CREATE VIEW public_pin.maritime_way AS
 SELECT maritime_way.id,
    maritime_way.coords
   FROM public.maritime_way
  WHERE false;

CREATE VIEW public_pin.shape_apart AS
 SELECT u.arrangement,
    u.boundary_id,
    u.type,
    u.admin_level,
    u.arcs,
    u.ring_end,
    u.polygon_end,
    u.arc_ids,
    u.largest,
    u.west,
    u.south,
    u.east,
    u.north,
    u.lat,
    u.lon,
    u.area_km2,
    u.geometry_hash,
    sha256((u.ring_hash || '\x70617374'::bytea)) AS ring_hash
   FROM ( SELECT shape_apart.arrangement,
            shape_apart.boundary_id,
            shape_apart.type,
            shape_apart.admin_level,
            shape_apart.arcs,
            shape_apart.ring_end,
            shape_apart.polygon_end,
            shape_apart.arc_ids,
            shape_apart.largest,
            shape_apart.west,
            shape_apart.south,
            shape_apart.east,
            shape_apart.north,
            shape_apart.lat,
            shape_apart.lon,
            shape_apart.area_km2,
            shape_apart.geometry_hash,
            shape_apart.ring_hash,
            shape_apart.recorded_in,
            NULL::bigint AS replaced_in
           FROM public.shape_apart
        UNION ALL
         SELECT past_shape_apart.arrangement,
            past_shape_apart.boundary_id,
            past_shape_apart.type,
            past_shape_apart.admin_level,
            past_shape_apart.arcs,
            past_shape_apart.ring_end,
            past_shape_apart.polygon_end,
            past_shape_apart.arc_ids,
            past_shape_apart.largest,
            past_shape_apart.west,
            past_shape_apart.south,
            past_shape_apart.east,
            past_shape_apart.north,
            past_shape_apart.lat,
            past_shape_apart.lon,
            past_shape_apart.area_km2,
            past_shape_apart.geometry_hash,
            past_shape_apart.ring_hash,
            past_shape_apart.recorded_in,
            past_shape_apart.replaced_in
           FROM public.past_shape_apart) u
  WHERE (public.was_recorded(u.recorded_in) AND ((u.replaced_in IS NULL) OR (NOT public.was_recorded(u.replaced_in))));

CREATE VIEW public_pin.source AS
 SELECT u.id,
    u.name,
    u.url,
    u.licence,
    u.attribution,
    u.resolution,
    u.seed,
    u.imported_at,
    u.data_at,
    u.reference_system,
    u.accuracy_m,
    u."position",
    u.edition,
    u.land
   FROM ( SELECT source.id,
            source.name,
            source.url,
            source.licence,
            source.attribution,
            source.resolution,
            source.seed,
            source.imported_at,
            source.data_at,
            source.reference_system,
            source.accuracy_m,
            source."position",
            source.edition,
            source.land,
            source.recorded_in,
            NULL::bigint AS replaced_in
           FROM public.source
        UNION ALL
         SELECT past_source.id,
            past_source.name,
            past_source.url,
            past_source.licence,
            past_source.attribution,
            past_source.resolution,
            past_source.seed,
            past_source.imported_at,
            past_source.data_at,
            past_source.reference_system,
            past_source.accuracy_m,
            past_source."position",
            past_source.edition,
            past_source.land,
            past_source.recorded_in,
            past_source.replaced_in
           FROM public.past_source) u
  WHERE (public.was_recorded(u.recorded_in) AND ((u.replaced_in IS NULL) OR (NOT public.was_recorded(u.replaced_in))));

CREATE VIEW public_pin.source_at AS
 SELECT source.id,
    source.name,
    source.url,
    source.licence,
    source.attribution,
    source.resolution,
    source.seed,
    source.imported_at,
    source.data_at,
    source.reference_system,
    source.accuracy_m,
    source."position",
    source.edition,
    source.land
   FROM public_pin.source
UNION ALL
 SELECT e.id,
    e.name,
    e.url,
    e.licence,
    e.attribution,
    e.resolution,
    e.seed,
    e.imported_at,
    e.data_at,
    e.reference_system,
    e.accuracy_m,
    e."position",
    e.edition,
    e.land
   FROM public.edition_source e
  WHERE (NOT (EXISTS ( SELECT
           FROM public_pin.source s
          WHERE (s.id = e.id))));

CREATE VIEW public_pin_as_of.arc AS
 SELECT arc_at.id,
    arc_at.hash,
    arc_at.coords,
    arc_at.weights,
    arc_at.ends,
    arc_at.exact,
    arc_at.revision,
    arc_at.area,
    arc_at.turn,
    arc_at.box,
    arc_at.class,
    arc_at.main,
    arc_at.reach,
    arc_at.reach_box,
    arc_at.arrangement
   FROM public_pin.arc_at;

CREATE VIEW public_pin_as_of.arc_conflict AS
 SELECT arc_conflict_at.a,
    arc_conflict_at.b,
    arc_conflict_at.kind,
    arc_conflict_at.x,
    arc_conflict_at.y
   FROM public_pin.arc_conflict_at;

CREATE VIEW public_pin_as_of.boundary AS
 SELECT boundary_at.id,
    boundary_at.source,
    boundary_at.source_id,
    boundary_at.source_version,
    boundary_at.version,
    boundary_at.imported_at,
    boundary_at.type,
    boundary_at.name,
    boundary_at.names,
    boundary_at.kind,
    boundary_at.kind_given,
    boundary_at.admin_level,
    boundary_at.country,
    boundary_at.countries,
    boundary_at.disputed,
    boundary_at.country_given,
    boundary_at.country_code,
    boundary_at.iso,
    boundary_at.wikidata,
    boundary_at.population,
    boundary_at.tags,
    boundary_at.place,
    boundary_at.subareas,
    boundary_at.other_names,
    boundary_at.codes,
    boundary_at.ways,
    boundary_at.west,
    boundary_at.south,
    boundary_at.east,
    boundary_at.north,
    boundary_at.lat,
    boundary_at.lon,
    boundary_at.area_km2,
    boundary_at.has_geometry,
    boundary_at.broken,
    boundary_at.stale,
    boundary_at.geometry_hash,
    boundary_at.ring_hash,
    boundary_at.meta_hash,
    boundary_at.kind_known,
    boundary_at.inherited,
    boundary_at.code_ids
   FROM public_pin.boundary_at;

CREATE VIEW public_pin_as_of.boundary_inland AS
 SELECT boundary_inland.boundary_id,
    boundary_inland.state,
    boundary_inland.reason,
    boundary_inland.lat,
    boundary_inland.lon
   FROM public.boundary_inland
  WHERE false;

CREATE VIEW public_pin_as_of.boundary_land AS
 SELECT boundary_land.boundary_id,
    boundary_land.state,
    boundary_land.land_km2,
    boundary_land.reason,
    boundary_land.lat,
    boundary_land.lon
   FROM public_pin.boundary_land
  WHERE false;

CREATE VIEW public_pin_as_of.boundary_name AS
 SELECT boundary_name_at.boundary_id,
    boundary_name_at.type,
    boundary_name_at.lang,
    boundary_name_at.folded,
    boundary_name_at.ascii,
    boundary_name_at.weight
   FROM public_pin.boundary_name_at;

CREATE VIEW public_pin_as_of.boundary_parent AS
 SELECT boundary_parent_at.child,
    boundary_parent_at.parent,
    boundary_parent_at.share,
    boundary_parent_at."position",
    boundary_parent_at.derived
   FROM public_pin.boundary_parent_at;

CREATE VIEW public_pin_as_of.boundary_shape AS
 SELECT boundary_shape_at.boundary_id,
    boundary_shape_at.arcs,
    boundary_shape_at.ring_end,
    boundary_shape_at.polygon_end,
    boundary_shape_at.arc_ids,
    boundary_shape_at.geom,
    boundary_shape_at.largest
   FROM public_pin.boundary_shape_at;

CREATE VIEW public_pin_as_of.maritime_way AS
 SELECT maritime_way.id,
    maritime_way.coords
   FROM public.maritime_way
  WHERE false;

CREATE VIEW public_pin_as_of.shape_apart AS
 SELECT shape_apart.arrangement,
    shape_apart.boundary_id,
    shape_apart.type,
    shape_apart.admin_level,
    shape_apart.arcs,
    shape_apart.ring_end,
    shape_apart.polygon_end,
    shape_apart.arc_ids,
    shape_apart.largest,
    shape_apart.west,
    shape_apart.south,
    shape_apart.east,
    shape_apart.north,
    shape_apart.lat,
    shape_apart.lon,
    shape_apart.area_km2,
    shape_apart.geometry_hash,
    shape_apart.ring_hash
   FROM public_pin.shape_apart
  WHERE false;

CREATE VIEW public_pin_as_of.source AS
 SELECT source_at.id,
    source_at.name,
    source_at.url,
    source_at.licence,
    source_at.attribution,
    source_at.resolution,
    source_at.seed,
    source_at.imported_at,
    source_at.data_at,
    source_at.reference_system,
    source_at.accuracy_m,
    source_at."position",
    source_at.edition,
    source_at.land
   FROM public_pin.source_at;

CREATE VIEW public_sets.arc AS
 SELECT u.id,
    u.hash,
    u.coords,
    u.weights,
    u.ends,
    u.exact,
    u.revision,
    u.area,
    u.turn,
    u.box,
    u.class,
    u.main,
    u.reach,
    u.reach_box,
    u.arrangement
   FROM ( SELECT arc.id,
            arc.hash,
            arc.coords,
            arc.weights,
            arc.ends,
            arc.exact,
            arc.revision,
            arc.area,
            arc.turn,
            arc.box,
            arc.class,
            arc.main,
            arc.reach,
            arc.reach_box,
            arc.arrangement,
            (0)::bigint AS of_version
           FROM public.arc
        UNION ALL
         SELECT set_arc.id,
            set_arc.hash,
            set_arc.coords,
            set_arc.weights,
            set_arc.ends,
            set_arc.exact,
            set_arc.revision,
            set_arc.area,
            set_arc.turn,
            set_arc.box,
            set_arc.class,
            set_arc.main,
            '\x'::bytea AS bytea,
            NULL::box AS box,
            (0)::smallint AS int2,
            set_arc.version
           FROM public.set_arc) u
  WHERE (u.of_version = ANY (public.read_branches()));

CREATE VIEW public_sets.arc_conflict AS
 SELECT u.a,
    u.b,
    u.kind,
    u.x,
    u.y
   FROM ( SELECT arc_conflict.a,
            arc_conflict.b,
            arc_conflict.kind,
            arc_conflict.x,
            arc_conflict.y,
            (0)::bigint AS of_version
           FROM public.arc_conflict
        UNION ALL
         SELECT set_conflict.a,
            set_conflict.b,
            set_conflict.kind,
            set_conflict.x,
            set_conflict.y,
            set_conflict.version
           FROM public.set_conflict) u
  WHERE (u.of_version = ANY (public.read_branches()));

CREATE VIEW public_sets.boundary AS
 SELECT u.id,
    u.source,
    u.source_id,
    u.source_version,
    u.version,
    u.imported_at,
    u.type,
    u.name,
    u.names,
    u.kind,
    u.kind_given,
    u.admin_level,
    u.country,
    u.countries,
    u.disputed,
    u.country_given,
    u.country_code,
    u.iso,
    u.wikidata,
    u.population,
    u.tags,
    u.place,
    u.subareas,
    u.other_names,
    u.codes,
    u.ways,
    u.west,
    u.south,
    u.east,
    u.north,
    u.lat,
    u.lon,
    u.area_km2,
    u.has_geometry,
    u.broken,
    u.stale,
    u.geometry_hash,
    u.ring_hash,
    u.meta_hash,
    u.kind_known,
    u.inherited,
    u.code_ids
   FROM ( SELECT boundary.id,
            boundary.source,
            boundary.source_id,
            boundary.source_version,
            boundary.version,
            boundary.imported_at,
            boundary.type,
            boundary.name,
            boundary.names,
            boundary.kind,
            boundary.kind_given,
            boundary.admin_level,
            boundary.country,
            boundary.countries,
            boundary.disputed,
            boundary.country_given,
            boundary.country_code,
            boundary.iso,
            boundary.wikidata,
            boundary.population,
            boundary.tags,
            boundary.place,
            boundary.subareas,
            boundary.other_names,
            boundary.codes,
            boundary.ways,
            boundary.west,
            boundary.south,
            boundary.east,
            boundary.north,
            boundary.lat,
            boundary.lon,
            boundary.area_km2,
            boundary.has_geometry,
            boundary.broken,
            boundary.stale,
            boundary.geometry_hash,
            boundary.ring_hash,
            boundary.meta_hash,
            boundary.kind_known,
            boundary.inherited,
            boundary.code_ids,
            (0)::bigint AS of_version
           FROM public.boundary
        UNION ALL
         SELECT set_boundary.id,
            set_boundary.source,
            set_boundary.source_id,
            set_boundary.source_version,
            set_boundary.version,
            set_boundary.imported_at,
            set_boundary.type,
            set_boundary.name,
            set_boundary.names,
            set_boundary.kind,
            set_boundary.kind_given,
            set_boundary.admin_level,
            set_boundary.country,
            set_boundary.countries,
            set_boundary.disputed,
            set_boundary.country_given,
            set_boundary.country_code,
            set_boundary.iso,
            set_boundary.wikidata,
            set_boundary.population,
            set_boundary.tags,
            set_boundary.place,
            set_boundary.subareas,
            set_boundary.other_names,
            set_boundary.codes,
            set_boundary.ways,
            set_boundary.west,
            set_boundary.south,
            set_boundary.east,
            set_boundary.north,
            set_boundary.lat,
            set_boundary.lon,
            set_boundary.area_km2,
            set_boundary.has_geometry,
            set_boundary.broken,
            set_boundary.stale,
            set_boundary.geometry_hash,
            set_boundary.ring_hash,
            set_boundary.meta_hash,
            set_boundary.kind_known,
            set_boundary.inherited,
            set_boundary.code_ids,
            set_boundary.version_id
           FROM public.set_boundary) u
  WHERE (u.of_version = ANY (public.read_branches()));

CREATE VIEW public_sets.boundary_alias AS
 SELECT boundary_alias.id,
    boundary_alias.boundary_id
   FROM public.boundary_alias
  WHERE public.reads_official();

CREATE VIEW public_sets.boundary_inland AS
 SELECT boundary_inland.boundary_id,
    boundary_inland.state,
    boundary_inland.reason,
    boundary_inland.lat,
    boundary_inland.lon
   FROM public.boundary_inland
  WHERE public.reads_official();

CREATE VIEW public_sets.boundary_land AS
 SELECT boundary_land.boundary_id,
    boundary_land.state,
    boundary_land.land_km2,
    boundary_land.reason,
    boundary_land.lat,
    boundary_land.lon
   FROM public.boundary_land
  WHERE public.reads_official();

CREATE VIEW public_sets.boundary_name AS
 SELECT u.boundary_id,
    u.type,
    u.lang,
    u.folded,
    u.ascii,
    u.weight
   FROM ( SELECT boundary_name.boundary_id,
            boundary_name.type,
            boundary_name.lang,
            boundary_name.folded,
            boundary_name.ascii,
            boundary_name.weight,
            (0)::bigint AS of_version
           FROM public.boundary_name
        UNION ALL
         SELECT set_name.boundary_id,
            set_name.type,
            set_name.lang,
            set_name.folded,
            set_name.ascii,
            set_name.weight,
            set_name.version_id
           FROM public.set_name) u
  WHERE (u.of_version = ANY (public.read_branches()));

CREATE VIEW public_sets.boundary_parent AS
 SELECT boundary_parent.child,
    boundary_parent.parent,
    boundary_parent.share,
    boundary_parent."position",
    boundary_parent.derived
   FROM public.boundary_parent
  WHERE public.reads_official();

CREATE VIEW public_sets.boundary_shape AS
 SELECT u.boundary_id,
    u.arcs,
    u.ring_end,
    u.polygon_end,
    u.arc_ids,
    u.geom,
    u.largest
   FROM ( SELECT boundary_shape.boundary_id,
            boundary_shape.arcs,
            boundary_shape.ring_end,
            boundary_shape.polygon_end,
            boundary_shape.arc_ids,
            boundary_shape.geom,
            boundary_shape.largest,
            (0)::bigint AS of_version
           FROM public.boundary_shape
        UNION ALL
         SELECT set_shape.boundary_id,
            set_shape.arcs,
            set_shape.ring_end,
            set_shape.polygon_end,
            set_shape.arc_ids,
            set_shape.geom,
            set_shape.largest,
            set_shape.version_id
           FROM public.set_shape) u
  WHERE (u.of_version = ANY (public.read_branches()));

CREATE VIEW public_sets.maritime_way AS
 SELECT maritime_way.id,
    maritime_way.coords
   FROM public.maritime_way
  WHERE public.reads_official();

CREATE VIEW public_sets.shape_apart AS
 SELECT shape_apart.arrangement,
    shape_apart.boundary_id,
    shape_apart.type,
    shape_apart.admin_level,
    shape_apart.arcs,
    shape_apart.ring_end,
    shape_apart.polygon_end,
    shape_apart.arc_ids,
    shape_apart.largest,
    shape_apart.west,
    shape_apart.south,
    shape_apart.east,
    shape_apart.north,
    shape_apart.lat,
    shape_apart.lon,
    shape_apart.area_km2,
    shape_apart.geometry_hash,
    shape_apart.ring_hash
   FROM public.shape_apart
  WHERE public.reads_official();

CREATE VIEW public_sets.source AS
 SELECT source.id,
    source.name,
    source.url,
    source.licence,
    source.attribution,
    source.resolution,
    source.seed,
    source.imported_at,
    source.data_at,
    source.reference_system,
    source.accuracy_m,
    source."position",
    source.edition,
    source.land
   FROM public.source
  WHERE public.reads_official()
UNION ALL
 SELECT set_source.id,
    set_source.name,
    NULL::text AS url,
    ''::text AS licence,
    set_source.attribution,
    NULL::text AS resolution,
    false AS seed,
    set_source.recorded_at AS imported_at,
    NULL::timestamp with time zone AS data_at,
    NULL::text AS reference_system,
    NULL::double precision AS accuracy_m,
    2147483647 AS "position",
    NULL::text AS edition,
    false AS land
   FROM public.set_source;

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_email_key UNIQUE (email);

ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.arc
    ADD CONSTRAINT arc_arrangement_hash UNIQUE (arrangement, hash);

ALTER TABLE ONLY public.arc_conflict
    ADD CONSTRAINT arc_conflict_pkey PRIMARY KEY (a, b);

ALTER TABLE ONLY public.arc
    ADD CONSTRAINT arc_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.area_set
    ADD CONSTRAINT area_set_id_org_key UNIQUE (id, org);

ALTER TABLE ONLY public.area_set
    ADD CONSTRAINT area_set_org_name_key UNIQUE (org, name);

ALTER TABLE ONLY public.area_set
    ADD CONSTRAINT area_set_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.area_set_share
    ADD CONSTRAINT area_set_share_area_set_account_key UNIQUE (area_set, account);

ALTER TABLE ONLY public.area_set_share
    ADD CONSTRAINT area_set_share_area_set_team_key UNIQUE (area_set, team);

ALTER TABLE ONLY public.area_set_share
    ADD CONSTRAINT area_set_share_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.area_set_version
    ADD CONSTRAINT area_set_version_area_set_valid_from_key UNIQUE (area_set, valid_from);

ALTER TABLE ONLY public.area_set_version
    ADD CONSTRAINT area_set_version_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.attempt
    ADD CONSTRAINT attempt_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.boundary_alias
    ADD CONSTRAINT boundary_alias_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.boundary_gone
    ADD CONSTRAINT boundary_gone_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.boundary_inland
    ADD CONSTRAINT boundary_inland_pkey PRIMARY KEY (boundary_id);

ALTER TABLE ONLY public.boundary_land
    ADD CONSTRAINT boundary_land_pkey PRIMARY KEY (boundary_id);

ALTER TABLE ONLY public.boundary_parent
    ADD CONSTRAINT boundary_parent_pkey PRIMARY KEY (child, parent);

ALTER TABLE ONLY public.boundary
    ADD CONSTRAINT boundary_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.boundary_replaced
    ADD CONSTRAINT boundary_replaced_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.boundary_shape
    ADD CONSTRAINT boundary_shape_pkey PRIMARY KEY (boundary_id);

ALTER TABLE ONLY public.boundary
    ADD CONSTRAINT boundary_source_source_id_key UNIQUE (source, source_id);

ALTER TABLE ONLY public.boundary_version
    ADD CONSTRAINT boundary_version_pkey PRIMARY KEY (boundary_id, version);

ALTER TABLE ONLY public.change_subscription
    ADD CONSTRAINT change_subscription_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.coast_extent
    ADD CONSTRAINT coast_extent_pkey PRIMARY KEY (west, south, east, north);

ALTER TABLE ONLY public.coast_line
    ADD CONSTRAINT coast_line_pkey PRIMARY KEY (source, id);

ALTER TABLE ONLY public.data_batch
    ADD CONSTRAINT data_batch_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.data_batch
    ADD CONSTRAINT data_batch_transaction_started_at_key UNIQUE (transaction, started_at);

ALTER TABLE ONLY public.data_change
    ADD CONSTRAINT data_change_pkey PRIMARY KEY (transaction, started_at);

ALTER TABLE ONLY public.data_event
    ADD CONSTRAINT data_event_pkey PRIMARY KEY (batch, boundary_id);

ALTER TABLE ONLY public.data_record
    ADD CONSTRAINT data_record_at_key UNIQUE (at);

ALTER TABLE ONLY public.data_record
    ADD CONSTRAINT data_record_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.data_revision
    ADD CONSTRAINT data_revision_pkey PRIMARY KEY (one);

ALTER TABLE ONLY public.device_code
    ADD CONSTRAINT device_code_pkey PRIMARY KEY (device_hash);

ALTER TABLE ONLY public.device_code
    ADD CONSTRAINT device_code_user_hash_key UNIQUE (user_hash);

ALTER TABLE ONLY public.edition_arc_draft
    ADD CONSTRAINT edition_arc_draft_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.edition_arc
    ADD CONSTRAINT edition_arc_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.edition_arc
    ADD CONSTRAINT edition_arc_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.edition_boundary
    ADD CONSTRAINT edition_boundary_pkey PRIMARY KEY (state);

ALTER TABLE ONLY public.edition_boundary
    ADD CONSTRAINT edition_boundary_state_hash_key UNIQUE (state_hash);

ALTER TABLE ONLY public.edition_conflict
    ADD CONSTRAINT edition_conflict_pkey PRIMARY KEY (a, b);

ALTER TABLE ONLY public.edition_draft
    ADD CONSTRAINT edition_draft_pkey PRIMARY KEY (boundary_id);

ALTER TABLE ONLY public.edition_member
    ADD CONSTRAINT edition_member_pkey PRIMARY KEY (edition, state);

ALTER TABLE ONLY public.edition
    ADD CONSTRAINT edition_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.edition_reach
    ADD CONSTRAINT edition_reach_pkey PRIMARY KEY (edition, arc);

ALTER TABLE ONLY public.edition_shape
    ADD CONSTRAINT edition_shape_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.edition_shape
    ADD CONSTRAINT edition_shape_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.edition_source
    ADD CONSTRAINT edition_source_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.edition
    ADD CONSTRAINT edition_source_valid_from_key UNIQUE (source, valid_from);

ALTER TABLE ONLY public.feedback_comment
    ADD CONSTRAINT feedback_comment_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.feedback_item
    ADD CONSTRAINT feedback_item_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.feedback_status
    ADD CONSTRAINT feedback_status_pkey PRIMARY KEY (item, "position");

ALTER TABLE ONLY public.feedback_vote
    ADD CONSTRAINT feedback_vote_pkey PRIMARY KEY (item, account);

ALTER TABLE ONLY public.file_blob
    ADD CONSTRAINT file_blob_pkey PRIMARY KEY (sha256);

ALTER TABLE ONLY public.file_count
    ADD CONSTRAINT file_count_pkey PRIMARY KEY (org);

ALTER TABLE ONLY public.file_follow
    ADD CONSTRAINT file_follow_pkey PRIMARY KEY (file);

ALTER TABLE ONLY public.file_format
    ADD CONSTRAINT file_format_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.file
    ADD CONSTRAINT file_id_org_visibility_created_at_key UNIQUE (id, org, visibility, created_at);

ALTER TABLE ONLY public.file_link
    ADD CONSTRAINT file_link_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.file_link
    ADD CONSTRAINT file_link_sha256_key UNIQUE (sha256);

ALTER TABLE ONLY public.file
    ADD CONSTRAINT file_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.file_share
    ADD CONSTRAINT file_share_file_account_key UNIQUE (file, account);

ALTER TABLE ONLY public.file_share
    ADD CONSTRAINT file_share_file_team_key UNIQUE (file, team);

ALTER TABLE ONLY public.file_share
    ADD CONSTRAINT file_share_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.history_keep
    ADD CONSTRAINT history_keep_pkey PRIMARY KEY (one);

ALTER TABLE ONLY public.import_run
    ADD CONSTRAINT import_run_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.inland_water_covered
    ADD CONSTRAINT inland_water_covered_pkey PRIMARY KEY (boundary_id);

ALTER TABLE ONLY public.inland_water
    ADD CONSTRAINT inland_water_pkey PRIMARY KEY (source, id);

ALTER TABLE ONLY public.inland_water_set
    ADD CONSTRAINT inland_water_set_pkey PRIMARY KEY (source);

ALTER TABLE ONLY public.invite
    ADD CONSTRAINT invite_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.job_part
    ADD CONSTRAINT job_part_pkey PRIMARY KEY (job, part);

ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.land_set
    ADD CONSTRAINT land_set_pkey PRIMARY KEY (source);

ALTER TABLE ONLY public.mailed_token
    ADD CONSTRAINT mailed_token_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.match_correction
    ADD CONSTRAINT match_correction_pkey PRIMARY KEY (org, name, within);

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_pkey PRIMARY KEY (org, account);

ALTER TABLE ONLY public.oauth_grant
    ADD CONSTRAINT oauth_grant_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.oauth_record
    ADD CONSTRAINT oauth_record_pkey PRIMARY KEY (model, id_hash);

ALTER TABLE ONLY public.org
    ADD CONSTRAINT org_personal_of_key UNIQUE (personal_of);

ALTER TABLE ONLY public.org
    ADD CONSTRAINT org_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.org
    ADD CONSTRAINT org_slug_key UNIQUE (slug);

ALTER TABLE ONLY public.org_slug
    ADD CONSTRAINT org_slug_pkey PRIMARY KEY (slug);

ALTER TABLE ONLY public.osm_node
    ADD CONSTRAINT osm_node_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.osm_relation
    ADD CONSTRAINT osm_relation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.payment_event
    ADD CONSTRAINT payment_event_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.plan
    ADD CONSTRAINT plan_payment_price_key UNIQUE (payment_price);

ALTER TABLE ONLY public.plan
    ADD CONSTRAINT plan_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.pool_of_the_gone
    ADD CONSTRAINT pool_of_the_gone_pkey PRIMARY KEY (pool);

ALTER TABLE ONLY public.rate_window
    ADD CONSTRAINT rate_window_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY public.review
    ADD CONSTRAINT review_account_key UNIQUE (account);

ALTER TABLE ONLY public.review
    ADD CONSTRAINT review_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.review_version
    ADD CONSTRAINT review_version_pkey PRIMARY KEY (review, version);

ALTER TABLE ONLY public.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.secret
    ADD CONSTRAINT secret_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.set_arc
    ADD CONSTRAINT set_arc_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.set_boundary
    ADD CONSTRAINT set_boundary_pkey PRIMARY KEY (version_id, id);

ALTER TABLE ONLY public.set_conflict
    ADD CONSTRAINT set_conflict_pkey PRIMARY KEY (a, b);

ALTER TABLE ONLY public.set_shape
    ADD CONSTRAINT set_shape_pkey PRIMARY KEY (version_id, boundary_id);

ALTER TABLE ONLY public.shape_apart
    ADD CONSTRAINT shape_apart_pkey PRIMARY KEY (arrangement, boundary_id);

ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.source
    ADD CONSTRAINT source_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT subscription_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.team
    ADD CONSTRAINT team_id_org_key UNIQUE (id, org);

ALTER TABLE ONLY public.team_member
    ADD CONSTRAINT team_member_pkey PRIMARY KEY (team, account);

ALTER TABLE ONLY public.team
    ADD CONSTRAINT team_org_slug_key UNIQUE (org, slug);

ALTER TABLE ONLY public.team
    ADD CONSTRAINT team_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.tile_selection
    ADD CONSTRAINT tile_selection_pkey PRIMARY KEY (sha256);

ALTER TABLE ONLY public.unit_month
    ADD CONSTRAINT unit_month_pkey PRIMARY KEY (pool, month);

ALTER TABLE ONLY public.unit_reservation
    ADD CONSTRAINT unit_reservation_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.unshaped
    ADD CONSTRAINT unshaped_pkey PRIMARY KEY (boundary_id);

ALTER TABLE ONLY public.update_state
    ADD CONSTRAINT update_state_pkey PRIMARY KEY (address);

ALTER TABLE ONLY public.upstream_day
    ADD CONSTRAINT upstream_day_pkey PRIMARY KEY (day);

ALTER TABLE ONLY public.upstream_fetch
    ADD CONSTRAINT upstream_fetch_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.upstream_turn
    ADD CONSTRAINT upstream_turn_pkey PRIMARY KEY (server);

ALTER TABLE ONLY public.usage_by_op
    ADD CONSTRAINT usage_by_op_pkey PRIMARY KEY (org, month, op);

ALTER TABLE ONLY public.way
    ADD CONSTRAINT way_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (id);

CREATE INDEX api_key_account ON public.api_key USING btree (account) WHERE (revoked_at IS NULL);

CREATE INDEX api_key_created_by_key ON public.api_key USING btree (created_by_key) WHERE (created_by_key IS NOT NULL);

CREATE INDEX api_key_org ON public.api_key USING btree (org);

CREATE INDEX arc_box ON public.arc USING gist (box);

CREATE INDEX arc_conflict_b ON public.arc_conflict USING btree (b);

CREATE INDEX arc_reach_box ON public.arc USING gist (reach_box);

CREATE INDEX area_set_creator ON public.area_set USING btree (creator);

CREATE INDEX area_set_share_account ON public.area_set_share USING btree (org, account);

CREATE INDEX area_set_share_team ON public.area_set_share USING btree (team, org);

CREATE INDEX attempt_end ON public.attempt USING btree (ends_at);

CREATE INDEX audit_log_org ON public.audit_log USING btree (org, created_at DESC, id DESC);

CREATE INDEX audit_log_org_action ON public.audit_log USING btree (org, action, created_at DESC, id DESC);

CREATE INDEX boundary_alias_boundary ON public.boundary_alias USING btree (boundary_id);

CREATE INDEX boundary_broken ON public.boundary USING btree (source, id) WHERE (broken IS NOT NULL);

CREATE INDEX boundary_code_keys ON public.boundary USING gin (public.code_keys(code_ids)) WHERE (code_ids IS NOT NULL);

CREATE INDEX boundary_countries ON public.boundary USING gin (countries);

CREATE INDEX boundary_country_code ON public.boundary USING btree (country_code);

CREATE INDEX boundary_country_level ON public.boundary USING btree (country, admin_level);

CREATE INDEX boundary_gone_iso ON public.boundary_gone USING btree (iso) WHERE (replaced_by IS NULL);

CREATE INDEX boundary_gone_replaced ON public.boundary_gone USING btree (replaced_by) WHERE (replaced_by IS NOT NULL);

CREATE INDEX boundary_gone_ways ON public.boundary_gone USING gin (ways);

CREATE INDEX boundary_gone_wikidata ON public.boundary_gone USING btree (wikidata) WHERE (replaced_by IS NULL);

CREATE INDEX boundary_id_c ON public.boundary USING btree (id COLLATE "C");

CREATE INDEX boundary_imported_at ON public.boundary USING btree (imported_at);

CREATE INDEX boundary_inland_pending ON public.boundary_inland USING btree (boundary_id) WHERE (state = 'pending'::text);

CREATE INDEX boundary_iso ON public.boundary USING btree (iso);

CREATE INDEX boundary_kind_unknown ON public.boundary USING btree (country, admin_level) WHERE (NOT kind_known);

CREATE INDEX boundary_land_pending ON public.boundary_land USING btree (boundary_id) WHERE (state = 'pending'::text);

CREATE INDEX boundary_name_boundary ON public.boundary_name USING btree (boundary_id);

CREATE INDEX boundary_name_major ON public.boundary_name USING btree (folded text_pattern_ops) WHERE (weight >= (7)::double precision);

CREATE INDEX boundary_name_prefix ON public.boundary_name USING btree (folded text_pattern_ops);

CREATE INDEX boundary_name_trigram ON public.boundary_name USING gin (ascii public.gin_trgm_ops) WHERE (ascii IS NOT NULL);

CREATE INDEX boundary_parent_parent ON public.boundary_parent USING btree (parent);

CREATE INDEX boundary_postcodes ON public.boundary USING btree (country) WHERE (type = 'postal_code'::text);

CREATE INDEX boundary_replaced_children ON public.boundary_replaced USING gin (children);

CREATE INDEX boundary_replaced_heir ON public.boundary_replaced USING btree (heir);

CREATE INDEX boundary_search ON public.boundary USING btree (id) INCLUDE (type, kind, admin_level, countries, west, south, east, north, lat, lon);

CREATE INDEX boundary_shape_arcs ON public.boundary_shape USING gin (arc_ids) WITH (fastupdate=off);

CREATE INDEX boundary_shape_geom ON public.boundary_shape USING gist (geom);

CREATE INDEX boundary_source_id ON public.boundary USING btree (source_id);

CREATE INDEX boundary_stale ON public.boundary USING btree (id) WHERE (stale IS NOT NULL);

CREATE INDEX boundary_subareas ON public.boundary USING gin (subareas);

CREATE INDEX boundary_ways ON public.boundary USING gin (ways);

CREATE INDEX boundary_wikidata ON public.boundary USING btree (wikidata);

CREATE INDEX boundary_without_geometry ON public.boundary USING btree (source) WHERE (NOT has_geometry);

CREATE INDEX change_subscription_account ON public.change_subscription USING btree (account);

CREATE INDEX change_subscription_boundaries ON public.change_subscription USING gin (boundaries);

CREATE INDEX change_subscription_country ON public.change_subscription USING btree (country);

CREATE INDEX change_subscription_file ON public.change_subscription USING btree (file);

CREATE INDEX change_subscription_org ON public.change_subscription USING btree (org, created_at DESC, id DESC);

CREATE INDEX change_subscription_parents ON public.change_subscription USING gin (parents);

CREATE INDEX coast_line_box ON public.coast_line USING gist (box);

CREATE INDEX data_batch_open ON public.data_batch USING btree (id) WHERE (announced_at IS NULL);

CREATE INDEX data_batch_recorded ON public.data_batch USING btree (recorded_in);

CREATE INDEX data_batch_started ON public.data_batch USING btree (started_at);

CREATE INDEX data_event_boundary ON public.data_event USING btree (boundary_id, batch);

CREATE INDEX data_event_ended ON public.data_event USING btree (((before ->> 'country'::text))) WHERE (after IS NULL);

CREATE INDEX data_event_parents ON public.data_event USING gin (((before -> 'parents'::text)));

CREATE INDEX data_record_late ON public.data_record USING btree (number) WHERE (upto > number);

CREATE INDEX device_code_expiry ON public.device_code USING btree (expires_at);

CREATE INDEX edition_arc_box ON public.edition_arc USING gist (box);

CREATE INDEX edition_boundary_arcs ON public.edition_boundary USING gin (arc_ids) WITH (fastupdate=off);

CREATE INDEX edition_boundary_codes ON public.edition_boundary USING gin (public.code_keys(code_ids)) WHERE (code_ids IS NOT NULL);

CREATE INDEX edition_boundary_country_code ON public.edition_boundary USING btree (country_code) WHERE (country_code IS NOT NULL);

CREATE INDEX edition_boundary_geom ON public.edition_boundary USING gist (geom);

CREATE INDEX edition_boundary_id ON public.edition_boundary USING btree (id);

CREATE INDEX edition_boundary_iso ON public.edition_boundary USING btree (iso) WHERE (iso IS NOT NULL);

CREATE INDEX edition_boundary_shape ON public.edition_boundary USING btree (shape);

CREATE INDEX edition_boundary_source ON public.edition_boundary USING btree (source, source_id);

CREATE INDEX edition_boundary_wikidata ON public.edition_boundary USING btree (wikidata) WHERE (wikidata IS NOT NULL);

CREATE INDEX edition_conflict_b ON public.edition_conflict USING btree (b);

CREATE INDEX edition_interval_boundary ON public.edition_interval USING btree (boundary_id);

CREATE UNIQUE INDEX edition_interval_current ON public.edition_interval USING btree (state, valid_from) WHERE (recorded_to IS NULL);

CREATE INDEX edition_interval_source ON public.edition_interval USING btree (source) WHERE (recorded_to IS NULL);

CREATE INDEX edition_interval_state ON public.edition_interval USING btree (state);

CREATE INDEX edition_layer_edition ON public.edition_layer USING btree (edition);

CREATE INDEX edition_member_state ON public.edition_member USING btree (state);

CREATE INDEX edition_name_boundary ON public.edition_name USING btree (boundary_id);

CREATE INDEX edition_name_prefix ON public.edition_name USING btree (folded text_pattern_ops);

CREATE INDEX edition_name_state ON public.edition_name USING btree (state);

CREATE INDEX edition_name_trigram ON public.edition_name USING gin (ascii public.gin_trgm_ops) WHERE (ascii IS NOT NULL);

CREATE INDEX edition_parent_child ON public.edition_parent USING btree (child);

CREATE INDEX edition_parent_parent ON public.edition_parent USING btree (parent);

CREATE INDEX edition_parent_state ON public.edition_parent USING btree (state);

CREATE INDEX edition_reach_arc ON public.edition_reach USING btree (arc);

CREATE INDEX edition_shape_arcs ON public.edition_shape USING gin (arc_ids) WITH (fastupdate=off);

CREATE INDEX edition_shape_geom ON public.edition_shape USING gist (geom);

CREATE INDEX feedback_comment_author ON public.feedback_comment USING btree (author);

CREATE INDEX feedback_comment_item ON public.feedback_comment USING btree (item, id);

CREATE INDEX feedback_item_author ON public.feedback_item USING btree (author);

CREATE INDEX feedback_item_top ON public.feedback_item USING btree (upvotes DESC, id DESC);

CREATE INDEX feedback_item_trigram ON public.feedback_item USING gin (ascii public.gin_trgm_ops);

CREATE INDEX feedback_vote_account ON public.feedback_vote USING btree (account);

CREATE INDEX file_creator ON public.file USING btree (creator);

CREATE INDEX file_expiry ON public.file USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX file_follow_checked ON public.file_follow USING btree (checked_at, due_at);

CREATE INDEX file_follow_org ON public.file_follow USING btree (org);

CREATE INDEX file_link_creator ON public.file_link USING btree (creator);

CREATE INDEX file_link_expires ON public.file_link USING btree (expires_at);

CREATE INDEX file_link_file ON public.file_link USING btree (file);

CREATE INDEX file_newest ON public.file USING btree (org, created_at DESC, id DESC);

CREATE INDEX file_newest_org ON public.file USING btree (org, created_at DESC, id DESC) WHERE (visibility = 'org'::text);

CREATE INDEX file_newest_own ON public.file USING btree (org, creator, created_at DESC, id DESC) WHERE (visibility = 'restricted'::text);

CREATE UNIQUE INDEX file_once_org ON public.file USING btree (org, boundary, format, detail) WHERE (visibility = 'org'::text);

CREATE UNIQUE INDEX file_once_own ON public.file USING btree (org, creator, boundary, format, detail) WHERE (visibility = 'restricted'::text);

CREATE UNIQUE INDEX file_recipe_org ON public.file USING btree (org, recipe) WHERE (visibility = 'org'::text);

CREATE UNIQUE INDEX file_recipe_own ON public.file USING btree (org, creator, recipe) WHERE (visibility = 'restricted'::text);

CREATE INDEX file_sha256 ON public.file USING btree (sha256);

CREATE INDEX file_share_account ON public.file_share USING btree (account, org, visibility, file_created_at DESC, file DESC);

CREATE INDEX file_share_team ON public.file_share USING btree (team, org, visibility, file_created_at DESC, file DESC);

CREATE INDEX file_with_sets ON public.file USING btree (org) WHERE (sets IS NOT NULL);

CREATE INDEX history_pruned_layer ON public.history_pruned USING btree (source, type, admin_level, valid_from);

CREATE INDEX inland_water_box ON public.inland_water USING gist (box);

CREATE INDEX invite_invited_by ON public.invite USING btree (invited_by);

CREATE INDEX invite_org ON public.invite USING btree (org, created_at DESC);

CREATE INDEX job_account ON public.job USING btree (account);

CREATE INDEX job_ended ON public.job USING btree (ended_at) WHERE (ended_at IS NOT NULL);

CREATE INDEX job_file ON public.job USING btree (file);

CREATE INDEX job_live ON public.job USING btree (run_at) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));

CREATE INDEX job_org ON public.job USING btree (org, created_at DESC, id DESC);

CREATE INDEX job_part_blob ON public.job_part USING btree (blob);

CREATE INDEX mailed_token_invite ON public.mailed_token USING btree (invite) WHERE (invite IS NOT NULL);

CREATE INDEX mailed_token_link ON public.mailed_token USING btree (link) WHERE (link IS NOT NULL);

CREATE INDEX membership_account ON public.membership USING btree (account);

CREATE INDEX oauth_grant_account ON public.oauth_grant USING btree (account, org) WHERE (revoked_at IS NULL);

CREATE INDEX oauth_record_expiry ON public.oauth_record USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX oauth_record_grant ON public.oauth_record USING btree (grant_id) WHERE (grant_id IS NOT NULL);

CREATE INDEX oauth_record_network ON public.oauth_record USING btree (model, network, expires_at) WHERE ((network IS NOT NULL) AND (expires_at IS NOT NULL));

CREATE INDEX org_pool ON public.org USING btree (pool);

CREATE INDEX osm_relation_nodes ON public.osm_relation USING gin (public.place_nodes(member_types, member_refs, member_roles));

CREATE INDEX outbox_next ON public.outbox USING btree (next_at);

CREATE INDEX past_arc_conflict_a_b_idx ON public.past_arc_conflict USING btree (a, b);

CREATE INDEX past_arc_conflict_b_idx ON public.past_arc_conflict USING btree (b);

CREATE INDEX past_arc_conflict_replaced_in_idx ON public.past_arc_conflict USING btree (replaced_in);

CREATE INDEX past_arc_id_idx ON public.past_arc USING btree (id);

CREATE INDEX past_arc_replaced_in_idx ON public.past_arc USING btree (replaced_in);

CREATE INDEX past_boundary_alias_id_idx ON public.past_boundary_alias USING btree (id);

CREATE INDEX past_boundary_alias_replaced_in_idx ON public.past_boundary_alias USING btree (replaced_in);

CREATE INDEX past_boundary_code_keys_idx ON public.past_boundary USING gin (public.code_keys(code_ids)) WHERE (code_ids IS NOT NULL);

CREATE INDEX past_boundary_countries_idx ON public.past_boundary USING gin (countries);

CREATE INDEX past_boundary_country_admin_level_idx ON public.past_boundary USING btree (country, admin_level);

CREATE INDEX past_boundary_country_admin_level_idx1 ON public.past_boundary USING btree (country, admin_level) WHERE (NOT kind_known);

CREATE INDEX past_boundary_country_code_idx ON public.past_boundary USING btree (country_code);

CREATE INDEX past_boundary_country_idx ON public.past_boundary USING btree (country) WHERE (type = 'postal_code'::text);

CREATE INDEX past_boundary_gone_id_idx ON public.past_boundary_gone USING btree (id);

CREATE INDEX past_boundary_gone_iso_idx ON public.past_boundary_gone USING btree (iso) WHERE (replaced_by IS NULL);

CREATE INDEX past_boundary_gone_replaced_by_idx ON public.past_boundary_gone USING btree (replaced_by) WHERE (replaced_by IS NOT NULL);

CREATE INDEX past_boundary_gone_replaced_in_idx ON public.past_boundary_gone USING btree (replaced_in);

CREATE INDEX past_boundary_gone_ways_idx ON public.past_boundary_gone USING gin (ways);

CREATE INDEX past_boundary_gone_wikidata_idx ON public.past_boundary_gone USING btree (wikidata) WHERE (replaced_by IS NULL);

CREATE INDEX past_boundary_id_idx ON public.past_boundary USING btree (id COLLATE "C");

CREATE INDEX past_boundary_id_idx1 ON public.past_boundary USING btree (id);

CREATE INDEX past_boundary_id_type_kind_admin_level_countries_west_south_idx ON public.past_boundary USING btree (id) INCLUDE (type, kind, admin_level, countries, west, south, east, north, lat, lon);

CREATE INDEX past_boundary_imported_at_idx ON public.past_boundary USING btree (imported_at);

CREATE INDEX past_boundary_iso_idx ON public.past_boundary USING btree (iso);

CREATE INDEX past_boundary_land_boundary_id_idx ON public.past_boundary_land USING btree (boundary_id);

CREATE INDEX past_boundary_land_replaced_in_idx ON public.past_boundary_land USING btree (replaced_in);

CREATE INDEX past_boundary_name_ascii_idx ON public.past_boundary_name USING gin (ascii public.gin_trgm_ops) WHERE (ascii IS NOT NULL);

CREATE INDEX past_boundary_name_boundary_id_idx ON public.past_boundary_name USING btree (boundary_id);

CREATE INDEX past_boundary_name_folded_idx ON public.past_boundary_name USING btree (folded text_pattern_ops) WHERE (weight >= (7)::double precision);

CREATE INDEX past_boundary_name_folded_idx1 ON public.past_boundary_name USING btree (folded text_pattern_ops);

CREATE INDEX past_boundary_name_replaced_in_idx ON public.past_boundary_name USING btree (replaced_in);

CREATE INDEX past_boundary_parent_child_parent_idx ON public.past_boundary_parent USING btree (child, parent);

CREATE INDEX past_boundary_parent_parent_idx ON public.past_boundary_parent USING btree (parent);

CREATE INDEX past_boundary_parent_replaced_in_idx ON public.past_boundary_parent USING btree (replaced_in);

CREATE INDEX past_boundary_replaced_in_idx ON public.past_boundary USING btree (replaced_in);

CREATE INDEX past_boundary_shape_arc_ids_idx ON public.past_boundary_shape USING gin (arc_ids) WITH (fastupdate=off);

CREATE INDEX past_boundary_shape_boundary_id_idx ON public.past_boundary_shape USING btree (boundary_id);

CREATE INDEX past_boundary_shape_geom_idx ON public.past_boundary_shape USING gist (geom);

CREATE INDEX past_boundary_shape_replaced_in_idx ON public.past_boundary_shape USING btree (replaced_in);

CREATE INDEX past_boundary_source_id_idx ON public.past_boundary USING btree (source, id) WHERE (broken IS NOT NULL);

CREATE INDEX past_boundary_source_id_idx1 ON public.past_boundary USING btree (source_id);

CREATE INDEX past_boundary_source_idx ON public.past_boundary USING btree (source) WHERE (NOT has_geometry);

CREATE INDEX past_boundary_source_source_id_idx ON public.past_boundary USING btree (source, source_id);

CREATE INDEX past_boundary_subareas_idx ON public.past_boundary USING gin (subareas);

CREATE INDEX past_boundary_wikidata_idx ON public.past_boundary USING btree (wikidata);

CREATE INDEX past_edition_id_idx ON public.past_edition USING btree (id);

CREATE INDEX past_edition_interval_boundary_id_idx ON public.past_edition_interval USING btree (boundary_id);

CREATE INDEX past_edition_interval_replaced_in_idx ON public.past_edition_interval USING btree (replaced_in);

CREATE INDEX past_edition_interval_source_idx ON public.past_edition_interval USING btree (source) WHERE (recorded_to IS NULL);

CREATE INDEX past_edition_interval_state_idx ON public.past_edition_interval USING btree (state);

CREATE INDEX past_edition_interval_state_valid_from_idx ON public.past_edition_interval USING btree (state, valid_from) WHERE (recorded_to IS NULL);

CREATE INDEX past_edition_layer_edition_idx ON public.past_edition_layer USING btree (edition);

CREATE INDEX past_edition_layer_replaced_in_idx ON public.past_edition_layer USING btree (replaced_in);

CREATE INDEX past_edition_replaced_in_idx ON public.past_edition USING btree (replaced_in);

CREATE INDEX past_edition_source_valid_from_idx ON public.past_edition USING btree (source, valid_from);

CREATE INDEX past_shape_apart_arc_ids_idx ON public.past_shape_apart USING gin (arc_ids) WITH (fastupdate=off);

CREATE INDEX past_shape_apart_arrangement_boundary_id_idx ON public.past_shape_apart USING btree (arrangement, boundary_id);

CREATE INDEX past_shape_apart_replaced_in_idx ON public.past_shape_apart USING btree (replaced_in);

CREATE INDEX past_source_id_idx ON public.past_source USING btree (id);

CREATE INDEX past_source_replaced_in_idx ON public.past_source USING btree (replaced_in);

CREATE INDEX review_version_published ON public.review_version USING btree (review, version DESC) WHERE (published_at IS NOT NULL);

CREATE INDEX session_account ON public.session USING btree (account);

CREATE INDEX session_org ON public.session USING btree (org);

CREATE INDEX set_arc_box ON public.set_arc USING gist (box);

CREATE INDEX set_arc_version ON public.set_arc USING btree (version);

CREATE INDEX set_boundary_code ON public.set_boundary USING btree (version_id, source_id COLLATE "C");

CREATE INDEX set_boundary_id ON public.set_boundary USING btree (id);

CREATE INDEX set_conflict_b ON public.set_conflict USING btree (b);

CREATE INDEX set_conflict_version ON public.set_conflict USING btree (version);

CREATE INDEX set_name_boundary ON public.set_name USING btree (version_id, boundary_id);

CREATE INDEX set_name_boundary_id ON public.set_name USING btree (boundary_id);

CREATE INDEX set_name_prefix ON public.set_name USING btree (version_id, folded text_pattern_ops);

CREATE INDEX set_name_trigram ON public.set_name USING gin (ascii public.gin_trgm_ops) WHERE (ascii IS NOT NULL);

CREATE INDEX set_shape_arcs ON public.set_shape USING gin (arc_ids) WITH (fastupdate=off);

CREATE INDEX set_shape_boundary ON public.set_shape USING btree (boundary_id);

CREATE INDEX set_shape_place ON public.set_shape USING gist (version_id, geom);

CREATE INDEX shape_apart_arcs ON public.shape_apart USING gin (arc_ids) WITH (fastupdate=off);

CREATE INDEX sign_in_link_expiry ON public.sign_in_link USING btree (expires_at);

CREATE INDEX subscription_org ON public.subscription USING btree (org);

CREATE INDEX team_member_account ON public.team_member USING btree (account, org);

CREATE INDEX tile_selection_use ON public.tile_selection USING btree (org, used_at);

CREATE INDEX unit_reservation_expiry ON public.unit_reservation USING btree (expires_at);

CREATE INDEX unit_reservation_pool ON public.unit_reservation USING btree (pool, expires_at);

CREATE INDEX unshaped_country ON public.unshaped USING btree (country);

CREATE INDEX unshaped_extent ON public.unshaped USING gist (extent);

CREATE INDEX upstream_fetch_due ON public.upstream_fetch USING btree (holds_until) WHERE ((outcome = 'found'::text) OR (outcome = 'broken'::text));

CREATE INDEX upstream_fetch_leased ON public.upstream_fetch USING btree (server) WHERE (server IS NOT NULL);

CREATE INDEX way_maritime ON public.way USING btree (id) WHERE public.way_is_maritime(tags);

CREATE INDEX way_node_buckets ON public.way USING gin (public.node_buckets(node_refs));
ALTER INDEX public.way_node_buckets ALTER COLUMN 1 SET STATISTICS 0;

CREATE INDEX webhook_due ON public.webhook USING btree (next_at);

CREATE INDEX webhook_job ON public.webhook USING btree (job) WHERE (job IS NOT NULL);

CREATE INDEX webhook_lease ON public.webhook USING btree (org) WHERE (lease_until IS NOT NULL);

CREATE INDEX webhook_org ON public.webhook USING btree (org);

CREATE TRIGGER arc_conflict_recorded BEFORE INSERT OR UPDATE ON public.arc_conflict FOR EACH ROW EXECUTE FUNCTION public.row_recorded();

CREATE TRIGGER arc_conflict_removed AFTER DELETE ON public.arc_conflict REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_arc_conflict();

CREATE TRIGGER arc_conflict_replaced AFTER UPDATE ON public.arc_conflict REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_arc_conflict();

CREATE TRIGGER arc_recorded BEFORE INSERT OR UPDATE ON public.arc FOR EACH ROW EXECUTE FUNCTION public.row_recorded();

CREATE TRIGGER arc_removed AFTER DELETE ON public.arc REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_arc();

CREATE TRIGGER arc_replaced AFTER UPDATE ON public.arc REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_arc();

CREATE TRIGGER audit_log_is_final BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.audit_log_is_final();

CREATE TRIGGER boundary_alias_data_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.boundary_alias FOR EACH STATEMENT EXECUTE FUNCTION public.data_changed();

CREATE TRIGGER boundary_alias_recorded BEFORE INSERT OR UPDATE ON public.boundary_alias FOR EACH ROW EXECUTE FUNCTION public.row_recorded();

CREATE TRIGGER boundary_alias_removed AFTER DELETE ON public.boundary_alias REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_boundary_alias();

CREATE TRIGGER boundary_alias_replaced AFTER UPDATE ON public.boundary_alias REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_boundary_alias();

CREATE TRIGGER boundary_data_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.boundary FOR EACH STATEMENT EXECUTE FUNCTION public.data_changed();

CREATE TRIGGER boundary_event_added AFTER INSERT ON public.boundary REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.boundary_added();

CREATE TRIGGER boundary_event_edited AFTER UPDATE ON public.boundary REFERENCING OLD TABLE AS replaced NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.boundary_edited();

CREATE TRIGGER boundary_event_parents AFTER DELETE ON public.boundary_parent REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.boundary_parents_removed();

CREATE TRIGGER boundary_event_removed AFTER DELETE ON public.boundary REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION public.boundaries_removed();

CREATE TRIGGER boundary_gone_recorded BEFORE INSERT OR UPDATE ON public.boundary_gone FOR EACH ROW EXECUTE FUNCTION public.row_recorded();

CREATE TRIGGER boundary_gone_removed AFTER DELETE ON public.boundary_gone REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_boundary_gone();

CREATE TRIGGER boundary_gone_replaced AFTER UPDATE ON public.boundary_gone REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_boundary_gone();

CREATE TRIGGER boundary_inland_data_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.boundary_inland FOR EACH STATEMENT EXECUTE FUNCTION public.data_changed();

CREATE TRIGGER boundary_land_data_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.boundary_land FOR EACH STATEMENT EXECUTE FUNCTION public.data_changed();

CREATE TRIGGER boundary_land_recorded BEFORE INSERT OR UPDATE ON public.boundary_land FOR EACH ROW EXECUTE FUNCTION public.row_recorded();

CREATE TRIGGER boundary_land_removed AFTER DELETE ON public.boundary_land REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_boundary_land();

CREATE TRIGGER boundary_land_replaced AFTER UPDATE ON public.boundary_land REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_boundary_land();

CREATE TRIGGER boundary_name_data_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.boundary_name FOR EACH STATEMENT EXECUTE FUNCTION public.data_changed();

CREATE TRIGGER boundary_name_recorded BEFORE INSERT OR UPDATE ON public.boundary_name FOR EACH ROW EXECUTE FUNCTION public.row_recorded();

CREATE TRIGGER boundary_name_removed AFTER DELETE ON public.boundary_name REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_boundary_name();

CREATE TRIGGER boundary_name_replaced AFTER UPDATE ON public.boundary_name REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_boundary_name();

CREATE TRIGGER boundary_parent_data_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.boundary_parent FOR EACH STATEMENT EXECUTE FUNCTION public.data_changed();

CREATE TRIGGER boundary_parent_recorded BEFORE INSERT OR UPDATE ON public.boundary_parent FOR EACH ROW EXECUTE FUNCTION public.row_recorded();

CREATE TRIGGER boundary_parent_removed AFTER DELETE ON public.boundary_parent REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_boundary_parent();

CREATE TRIGGER boundary_parent_replaced AFTER UPDATE ON public.boundary_parent REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_boundary_parent();

CREATE TRIGGER boundary_recorded BEFORE INSERT OR UPDATE ON public.boundary FOR EACH ROW EXECUTE FUNCTION public.row_recorded();

CREATE TRIGGER boundary_removed AFTER DELETE ON public.boundary REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_boundary();

CREATE TRIGGER boundary_replaced AFTER UPDATE ON public.boundary REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_boundary();

CREATE TRIGGER boundary_shape_recorded BEFORE INSERT OR UPDATE ON public.boundary_shape FOR EACH ROW EXECUTE FUNCTION public.row_recorded();

CREATE TRIGGER boundary_shape_removed AFTER DELETE ON public.boundary_shape REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_boundary_shape();

CREATE TRIGGER boundary_shape_replaced AFTER UPDATE ON public.boundary_shape REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_boundary_shape();

CREATE TRIGGER callers_of_account AFTER DELETE OR UPDATE ON public.account FOR EACH STATEMENT EXECUTE FUNCTION public.callers_changed();

CREATE TRIGGER callers_of_grant AFTER DELETE OR UPDATE OF revoked_at ON public.oauth_grant FOR EACH STATEMENT EXECUTE FUNCTION public.callers_changed();

CREATE TRIGGER callers_of_key AFTER DELETE OR UPDATE OF revoked_at ON public.api_key FOR EACH STATEMENT EXECUTE FUNCTION public.callers_changed();

CREATE TRIGGER callers_of_member AFTER DELETE OR UPDATE ON public.membership FOR EACH STATEMENT EXECUTE FUNCTION public.callers_changed();

CREATE TRIGGER callers_of_org AFTER DELETE OR UPDATE OF plan, slug ON public.org FOR EACH STATEMENT EXECUTE FUNCTION public.callers_changed();

CREATE TRIGGER callers_of_session AFTER DELETE OR UPDATE OF org ON public.session FOR EACH STATEMENT EXECUTE FUNCTION public.callers_changed();

CREATE TRIGGER callers_of_token AFTER DELETE ON public.oauth_record FOR EACH STATEMENT EXECUTE FUNCTION public.callers_changed();

CREATE CONSTRAINT TRIGGER data_record_commit AFTER INSERT ON public.data_record DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.data_recorded();

CREATE TRIGGER edition_data_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.edition_interval FOR EACH STATEMENT EXECUTE FUNCTION public.data_changed();

CREATE TRIGGER edition_event AFTER INSERT OR UPDATE ON public.edition FOR EACH ROW EXECUTE FUNCTION public.edition_stored();

CREATE TRIGGER edition_interval_recorded BEFORE INSERT OR UPDATE ON public.edition_interval FOR EACH ROW EXECUTE FUNCTION public.row_recorded();

CREATE TRIGGER edition_interval_removed AFTER DELETE ON public.edition_interval REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_edition_interval();

CREATE TRIGGER edition_interval_replaced AFTER UPDATE ON public.edition_interval REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_edition_interval();

CREATE TRIGGER edition_layer_recorded BEFORE INSERT OR UPDATE ON public.edition_layer FOR EACH ROW EXECUTE FUNCTION public.row_recorded();

CREATE TRIGGER edition_layer_removed AFTER DELETE ON public.edition_layer REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_edition_layer();

CREATE TRIGGER edition_layer_replaced AFTER UPDATE ON public.edition_layer REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_edition_layer();

CREATE TRIGGER edition_recorded BEFORE INSERT OR UPDATE ON public.edition FOR EACH ROW EXECUTE FUNCTION public.row_recorded();

CREATE TRIGGER edition_removed AFTER DELETE ON public.edition REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_edition();

CREATE TRIGGER edition_replaced AFTER UPDATE ON public.edition REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_edition();

CREATE TRIGGER feedback_count_votes AFTER INSERT OR DELETE ON public.feedback_vote FOR EACH ROW EXECUTE FUNCTION public.feedback_count_votes();

CREATE TRIGGER file_count_delete AFTER DELETE ON public.file REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION public.file_count_entries();

CREATE TRIGGER file_count_insert AFTER INSERT ON public.file REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.file_count_entries();

CREATE TRIGGER file_count_update AFTER UPDATE ON public.file REFERENCING OLD TABLE AS gone NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION public.file_count_entries();

CREATE TRIGGER file_revise_delete AFTER DELETE ON public.file REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.file_count_revise();

CREATE TRIGGER file_revise_insert AFTER INSERT ON public.file REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.file_count_revise();

CREATE TRIGGER file_revise_update AFTER UPDATE ON public.file REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.file_count_revise();

CREATE TRIGGER file_share_revise_delete AFTER DELETE ON public.file_share REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.file_count_revise();

CREATE TRIGGER file_share_revise_insert AFTER INSERT ON public.file_share REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.file_count_revise();

CREATE TRIGGER shape_apart_data_changed AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.shape_apart FOR EACH STATEMENT EXECUTE FUNCTION public.data_changed();

CREATE TRIGGER shape_apart_recorded BEFORE INSERT OR UPDATE ON public.shape_apart FOR EACH ROW EXECUTE FUNCTION public.row_recorded();

CREATE TRIGGER shape_apart_removed AFTER DELETE ON public.shape_apart REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_shape_apart();

CREATE TRIGGER shape_apart_replaced AFTER UPDATE ON public.shape_apart REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_shape_apart();

CREATE TRIGGER source_data_changed AFTER INSERT OR DELETE ON public.source FOR EACH STATEMENT EXECUTE FUNCTION public.data_changed();

CREATE TRIGGER source_order_changed AFTER DELETE OR UPDATE OF "position" ON public.source FOR EACH STATEMENT EXECUTE FUNCTION public.data_changed();

CREATE TRIGGER source_recorded BEFORE INSERT OR UPDATE ON public.source FOR EACH ROW EXECUTE FUNCTION public.row_recorded();

CREATE TRIGGER source_removed AFTER DELETE ON public.source REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_source();

CREATE TRIGGER source_replaced AFTER UPDATE ON public.source REFERENCING OLD TABLE AS replaced FOR EACH STATEMENT EXECUTE FUNCTION public.past_source();

CREATE TRIGGER source_told_changed AFTER UPDATE ON public.source FOR EACH ROW WHEN ((((((old.name IS DISTINCT FROM new.name) OR (old.url IS DISTINCT FROM new.url)) OR (old.licence IS DISTINCT FROM new.licence)) OR (old.attribution IS DISTINCT FROM new.attribution)) OR (old.seed IS DISTINCT FROM new.seed))) EXECUTE FUNCTION public.data_changed();

CREATE TRIGGER team_member_revise_delete AFTER DELETE ON public.team_member REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.file_count_revise();

CREATE TRIGGER team_member_revise_insert AFTER INSERT ON public.team_member REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.file_count_revise();

CREATE TRIGGER way_maritime_changed AFTER UPDATE ON public.way FOR EACH ROW WHEN (((public.way_is_maritime(old.tags) <> public.way_is_maritime(new.tags)) OR (public.way_is_maritime(new.tags) AND (old.coords IS DISTINCT FROM new.coords)))) EXECUTE FUNCTION public.data_changed();

CREATE TRIGGER way_maritime_put AFTER INSERT ON public.way FOR EACH ROW WHEN (public.way_is_maritime(new.tags)) EXECUTE FUNCTION public.data_changed();

CREATE TRIGGER way_maritime_removed AFTER DELETE ON public.way FOR EACH ROW WHEN (public.way_is_maritime(old.tags)) EXECUTE FUNCTION public.data_changed();

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_account_fkey FOREIGN KEY (account) REFERENCES public.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.arc_conflict
    ADD CONSTRAINT arc_conflict_a_fkey FOREIGN KEY (a) REFERENCES public.arc(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.arc_conflict
    ADD CONSTRAINT arc_conflict_b_fkey FOREIGN KEY (b) REFERENCES public.arc(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.area_set
    ADD CONSTRAINT area_set_creator_fkey FOREIGN KEY (creator) REFERENCES public.account(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.area_set
    ADD CONSTRAINT area_set_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.area_set_share
    ADD CONSTRAINT area_set_share_area_set_org_fkey FOREIGN KEY (area_set, org) REFERENCES public.area_set(id, org) ON DELETE CASCADE;

ALTER TABLE ONLY public.area_set_share
    ADD CONSTRAINT area_set_share_org_account_fkey FOREIGN KEY (org, account) REFERENCES public.membership(org, account) ON DELETE CASCADE;

ALTER TABLE ONLY public.area_set_share
    ADD CONSTRAINT area_set_share_team_org_fkey FOREIGN KEY (team, org) REFERENCES public.team(id, org) ON DELETE CASCADE;

ALTER TABLE ONLY public.area_set_version
    ADD CONSTRAINT area_set_version_area_set_fkey FOREIGN KEY (area_set) REFERENCES public.area_set(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.boundary_alias
    ADD CONSTRAINT boundary_alias_boundary_id_fkey FOREIGN KEY (boundary_id) REFERENCES public.boundary(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.boundary_inland
    ADD CONSTRAINT boundary_inland_boundary_id_fkey FOREIGN KEY (boundary_id) REFERENCES public.boundary(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.boundary_land
    ADD CONSTRAINT boundary_land_boundary_id_fkey FOREIGN KEY (boundary_id) REFERENCES public.boundary(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.boundary_name
    ADD CONSTRAINT boundary_name_boundary_id_fkey FOREIGN KEY (boundary_id) REFERENCES public.boundary(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.boundary_parent
    ADD CONSTRAINT boundary_parent_child_fkey FOREIGN KEY (child) REFERENCES public.boundary(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.boundary_parent
    ADD CONSTRAINT boundary_parent_parent_fkey FOREIGN KEY (parent) REFERENCES public.boundary(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.boundary_replaced
    ADD CONSTRAINT boundary_replaced_heir_fkey FOREIGN KEY (heir) REFERENCES public.boundary(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.boundary_shape
    ADD CONSTRAINT boundary_shape_boundary_id_fkey FOREIGN KEY (boundary_id) REFERENCES public.boundary(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.boundary
    ADD CONSTRAINT boundary_source_fkey FOREIGN KEY (source) REFERENCES public.source(id);

ALTER TABLE ONLY public.boundary_version
    ADD CONSTRAINT boundary_version_boundary_id_fkey FOREIGN KEY (boundary_id) REFERENCES public.boundary(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.boundary_version
    ADD CONSTRAINT boundary_version_source_fkey FOREIGN KEY (source) REFERENCES public.source(id);

ALTER TABLE ONLY public.change_subscription
    ADD CONSTRAINT change_subscription_account_fkey FOREIGN KEY (account) REFERENCES public.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.change_subscription
    ADD CONSTRAINT change_subscription_file_fkey FOREIGN KEY (file) REFERENCES public.file(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.change_subscription
    ADD CONSTRAINT change_subscription_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.data_event
    ADD CONSTRAINT data_event_batch_fkey FOREIGN KEY (batch) REFERENCES public.data_batch(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.device_code
    ADD CONSTRAINT device_code_account_fkey FOREIGN KEY (account) REFERENCES public.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.device_code
    ADD CONSTRAINT device_code_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.edition_boundary
    ADD CONSTRAINT edition_boundary_shape_fkey FOREIGN KEY (shape) REFERENCES public.edition_shape(id);

ALTER TABLE ONLY public.edition_interval
    ADD CONSTRAINT edition_interval_state_fkey FOREIGN KEY (state) REFERENCES public.edition_boundary(state);

ALTER TABLE ONLY public.edition_layer
    ADD CONSTRAINT edition_layer_edition_fkey FOREIGN KEY (edition) REFERENCES public.edition(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.edition_member
    ADD CONSTRAINT edition_member_edition_fkey FOREIGN KEY (edition) REFERENCES public.edition(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.edition_member
    ADD CONSTRAINT edition_member_state_fkey FOREIGN KEY (state) REFERENCES public.edition_boundary(state);

ALTER TABLE ONLY public.edition_name
    ADD CONSTRAINT edition_name_state_fkey FOREIGN KEY (state) REFERENCES public.edition_boundary(state) ON DELETE CASCADE;

ALTER TABLE ONLY public.edition_parent
    ADD CONSTRAINT edition_parent_state_fkey FOREIGN KEY (state) REFERENCES public.edition_boundary(state) ON DELETE CASCADE;

ALTER TABLE ONLY public.edition_reach
    ADD CONSTRAINT edition_reach_arc_fkey FOREIGN KEY (arc) REFERENCES public.edition_arc(id);

ALTER TABLE ONLY public.edition_reach
    ADD CONSTRAINT edition_reach_edition_fkey FOREIGN KEY (edition) REFERENCES public.edition(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.feedback_comment
    ADD CONSTRAINT feedback_comment_author_fkey FOREIGN KEY (author) REFERENCES public.account(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.feedback_comment
    ADD CONSTRAINT feedback_comment_item_fkey FOREIGN KEY (item) REFERENCES public.feedback_item(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.feedback_item
    ADD CONSTRAINT feedback_item_author_fkey FOREIGN KEY (author) REFERENCES public.account(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.feedback_item
    ADD CONSTRAINT feedback_item_duplicate_of_fkey FOREIGN KEY (duplicate_of) REFERENCES public.feedback_item(id);

ALTER TABLE ONLY public.feedback_status
    ADD CONSTRAINT feedback_status_item_fkey FOREIGN KEY (item) REFERENCES public.feedback_item(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.feedback_vote
    ADD CONSTRAINT feedback_vote_account_fkey FOREIGN KEY (account) REFERENCES public.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.feedback_vote
    ADD CONSTRAINT feedback_vote_item_fkey FOREIGN KEY (item) REFERENCES public.feedback_item(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file_blob
    ADD CONSTRAINT file_blob_format_fkey FOREIGN KEY (format) REFERENCES public.file_format(name);

ALTER TABLE ONLY public.file_count
    ADD CONSTRAINT file_count_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file
    ADD CONSTRAINT file_creator_fkey FOREIGN KEY (creator) REFERENCES public.account(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.file_follow
    ADD CONSTRAINT file_follow_file_fkey FOREIGN KEY (file) REFERENCES public.file(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file
    ADD CONSTRAINT file_format_fkey FOREIGN KEY (format) REFERENCES public.file_format(name);

ALTER TABLE ONLY public.file_link
    ADD CONSTRAINT file_link_creator_fkey FOREIGN KEY (creator) REFERENCES public.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file_link
    ADD CONSTRAINT file_link_file_fkey FOREIGN KEY (file) REFERENCES public.file(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file
    ADD CONSTRAINT file_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.file
    ADD CONSTRAINT file_sha256_fkey FOREIGN KEY (sha256) REFERENCES public.file_blob(sha256);

ALTER TABLE ONLY public.file_share
    ADD CONSTRAINT file_share_file_org_visibility_file_created_at_fkey FOREIGN KEY (file, org, visibility, file_created_at) REFERENCES public.file(id, org, visibility, created_at) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE ONLY public.file_share
    ADD CONSTRAINT file_share_org_account_fkey FOREIGN KEY (org, account) REFERENCES public.membership(org, account) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.file_share
    ADD CONSTRAINT file_share_team_org_fkey FOREIGN KEY (team, org) REFERENCES public.team(id, org) ON DELETE CASCADE;

ALTER TABLE ONLY public.import_run
    ADD CONSTRAINT import_run_source_fkey FOREIGN KEY (source) REFERENCES public.source(id);

ALTER TABLE ONLY public.inland_water_covered
    ADD CONSTRAINT inland_water_covered_boundary_id_fkey FOREIGN KEY (boundary_id) REFERENCES public.boundary(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.invite
    ADD CONSTRAINT invite_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES public.account(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.invite
    ADD CONSTRAINT invite_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_account_fkey FOREIGN KEY (account) REFERENCES public.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_file_fkey FOREIGN KEY (file) REFERENCES public.file(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.job_part
    ADD CONSTRAINT job_part_job_fkey FOREIGN KEY (job) REFERENCES public.job(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.mailed_token
    ADD CONSTRAINT mailed_token_invite_fkey FOREIGN KEY (invite) REFERENCES public.invite(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.mailed_token
    ADD CONSTRAINT mailed_token_link_fkey FOREIGN KEY (link) REFERENCES public.sign_in_link(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.match_correction
    ADD CONSTRAINT match_correction_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_account_fkey FOREIGN KEY (account) REFERENCES public.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.membership
    ADD CONSTRAINT membership_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.oauth_grant
    ADD CONSTRAINT oauth_grant_account_fkey FOREIGN KEY (account) REFERENCES public.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.oauth_grant
    ADD CONSTRAINT oauth_grant_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.org
    ADD CONSTRAINT org_personal_of_fkey FOREIGN KEY (personal_of) REFERENCES public.account(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.org
    ADD CONSTRAINT org_plan_fkey FOREIGN KEY (plan) REFERENCES public.plan(id);

ALTER TABLE ONLY public.review
    ADD CONSTRAINT review_account_fkey FOREIGN KEY (account) REFERENCES public.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.review_version
    ADD CONSTRAINT review_version_review_fkey FOREIGN KEY (review) REFERENCES public.review(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_account_fkey FOREIGN KEY (account) REFERENCES public.account(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.set_arc
    ADD CONSTRAINT set_arc_version_fkey FOREIGN KEY (version) REFERENCES public.area_set_version(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.set_boundary
    ADD CONSTRAINT set_boundary_version_id_fkey FOREIGN KEY (version_id) REFERENCES public.area_set_version(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.set_conflict
    ADD CONSTRAINT set_conflict_version_fkey FOREIGN KEY (version) REFERENCES public.area_set_version(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.set_name
    ADD CONSTRAINT set_name_version_id_fkey FOREIGN KEY (version_id) REFERENCES public.area_set_version(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.set_shape
    ADD CONSTRAINT set_shape_version_id_fkey FOREIGN KEY (version_id) REFERENCES public.area_set_version(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT subscription_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_member
    ADD CONSTRAINT team_member_org_account_fkey FOREIGN KEY (org, account) REFERENCES public.membership(org, account) ON DELETE CASCADE;

ALTER TABLE ONLY public.team_member
    ADD CONSTRAINT team_member_team_org_fkey FOREIGN KEY (team, org) REFERENCES public.team(id, org) ON DELETE CASCADE;

ALTER TABLE ONLY public.team
    ADD CONSTRAINT team_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.tile_selection
    ADD CONSTRAINT tile_selection_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE SET NULL;

ALTER TABLE ONLY public.unshaped
    ADD CONSTRAINT unshaped_boundary_id_fkey FOREIGN KEY (boundary_id) REFERENCES public.boundary(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.webhook
    ADD CONSTRAINT webhook_org_fkey FOREIGN KEY (org) REFERENCES public.org(id) ON DELETE CASCADE;
