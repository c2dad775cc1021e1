-- An arrangement is a set of arcs that meet only at their ends or whose conflicts are recorded. That of the boundaries as
-- they are at present is number 0. Others hold other shapes of boundaries, such as their land; arcs of two arrangements
-- may cross anywhere, and nothing records where.

alter table arc add column arrangement smallint not null default 0;
alter table arc add constraint arc_arrangement_hash unique (arrangement, hash);
alter table arc drop constraint arc_hash_key;

-- Shapes of boundaries in arrangements other than the present one. A boundary of the past need not be there any more.
create table shape_apart (
  arrangement smallint not null check (arrangement > 0),
  boundary_id text not null,
  type text not null check (type in ('administrative', 'postal_code')),
  admin_level smallint,
  arcs bigint[] not null,              -- signed arc ids of the arrangement, ring after ring, interior on the left
  ring_end integer[] not null,         -- end of each ring in arcs
  polygon_end integer[] not null,      -- end of each polygon in ring_end
  arc_ids bigint[] not null,           -- the distinct arcs, for the index from arc to shapes
  largest integer not null,            -- its polygon with the largest area
  west integer not null,               -- 1e-7 degrees; west > east across the antimeridian
  south integer not null,
  east integer not null,
  north integer not null,
  lat integer not null,                -- a point inside the largest part
  lon integer not null,
  area_km2 double precision not null,
  geometry_hash bytea not null,
  ring_hash bytea not null,
  primary key (arrangement, boundary_id)
);
create index shape_apart_arcs on shape_apart using gin (arc_ids) with (fastupdate = off);
create trigger shape_apart_data_changed after insert or update or delete or truncate on shape_apart
  for each statement execute function data_changed();
