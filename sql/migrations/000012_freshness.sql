-- How old the data is, what follows the map and what could not: nodes that describe boundaries, places of incomplete
-- ways, boundaries that are no more, how far changes were taken in.

alter table source add column data_at timestamptz; -- the newest time that its files gave

-- Label and admin_centre nodes of boundary relations: names and figures come from them.
create table osm_node (
  id bigint primary key,
  version integer not null,
  tags jsonb not null
);

create function place_nodes(member_types text, member_refs bigint[], member_roles text[]) returns bigint[]
language sql immutable parallel safe
return (select array_agg(m.ref)
        from unnest(string_to_array(member_types, null), member_refs, member_roles) as m (type, ref, role)
        where m.type = 'n' and m.role in ('label', 'admin_centre', 'admin_center'));

create index osm_relation_nodes on osm_relation using gin (place_nodes(member_types, member_refs, member_roles));

-- Of a way that lacks a node: the places of the others, x, y as in coords, -2147483648 where there is none.
alter table way add column places bytea;

create index boundary_stale on boundary (id) where stale is not null;

-- Relations and ways of the map that are boundaries no more. One that was replaced answers through boundary_alias.
create table boundary_gone (
  id text primary key,
  version integer not null,            -- of the map's object that is gone: an older one never brings it back
  reason text not null check (reason in ('deleted', 'retagged', 'member')),
  gone_at timestamptz not null default now(),
  name text not null,
  type text not null,
  kind text not null,
  admin_level smallint,
  country text,
  wikidata text,
  iso text,
  replaced_by text
);
create index boundary_gone_wikidata on boundary_gone (wikidata) where replaced_by is null;
create index boundary_gone_iso on boundary_gone (iso) where replaced_by is null;
create index boundary_gone_replaced on boundary_gone (replaced_by) where replaced_by is not null;

-- How far changes of the map were taken in: a row an address of a replication folder, and '' for files given by hand.
create table update_state (
  address text primary key,
  sequence bigint,
  data_at timestamptz,                 -- of the newest object among the changes
  applied_at timestamptz not null default now()
);
