-- The land part of boundaries: shapes of arrangement 1, made of the borders and the coast.

-- Lines between land and water, with land on their left: coastline ways of OpenStreetMap (source osm, with their ids), and
-- the rings of sets of land polygons.
create table coast_line (
  source text not null,
  id bigint not null,
  version integer not null,
  coords bytea not null,               -- x, y int32 pairs, as in arc
  box box not null,                    -- in 1e-7 degrees
  primary key (source, id)
);
create index coast_line_box on coast_line using gist (box);

-- What is known of the land of a boundary. No row: no coast was ever there when it was stored.
create table boundary_land (
  boundary_id text primary key references boundary on delete cascade,
  -- pending: to be worked out again before it may be used; mixed: land and water; unknown: for the reason that is given
  state text not null check (state in ('pending', 'land', 'mixed', 'water', 'unknown')),
  land_km2 double precision,
  reason text,
  lat integer,                         -- 1e-7 degrees, where it is unknown
  lon integer
);
create index boundary_land_pending on boundary_land (boundary_id) where state = 'pending';
create trigger boundary_land_data_changed after insert or update or delete or truncate on boundary_land
  for each statement execute function data_changed();

-- Whether its areas end at the shore, as those of the seed data do.
alter table source add column land boolean not null default false;
update source set land = seed;
