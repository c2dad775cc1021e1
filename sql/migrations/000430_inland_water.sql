-- The land without inland water: shapes of arrangement 3, made of the land part of boundaries and of lakes and rivers.

-- Inland water: objects of OpenStreetMap (source osm; relations and ways by their ids), and the polygons of files.
create table inland_water (
  source text not null,
  id text not null,
  coords bytea not null,               -- closed rings one after the other, water on their left: x, y int32 pairs
  ring_end integer[] not null,         -- end of each ring in vertices
  reason text,                         -- why its shape is not known; then coords are lines of its border
  is_part boolean not null,            -- files lack some of its border; the box is of what they have
  box box not null,                    -- in 1e-7 degrees
  data_at timestamptz,                 -- the time of the data that has it; null when its file states none
  primary key (source, id)
);
create index inland_water_box on inland_water using gist (box);

-- What files of inland water cover: boundaries that reach beyond have none by them.
create table inland_water_set (
  source text primary key,
  west integer not null,               -- 1e-7 degrees; west > east across the antimeridian
  south integer not null,
  east integer not null,
  north integer not null,
  stated boolean not null              -- by who imported it; otherwise it is the extent of the polygons
);

-- The boundaries whose inland water a file of OpenStreetMap has, as long as they have the same shape.
create table inland_water_covered (
  boundary_id text primary key references boundary on delete cascade,
  geometry_hash bytea not null,        -- of the boundary
  least_km2 double precision not null, -- smaller water was not read
  data_at timestamptz
);

-- What is known of the land of a boundary without inland water. No row: none was imported when it was stored.
create table boundary_inland (
  boundary_id text primary key references boundary on delete cascade,
  -- pending: to be worked out again before it may be used; none, some, all: how much of the land is inland water
  state text not null check (state in ('pending', 'none', 'some', 'all', 'unknown')),
  reason text,
  lat integer,                         -- 1e-7 degrees, where it is unknown
  lon integer
);
create index boundary_inland_pending on boundary_inland (boundary_id) where state = 'pending';
create trigger boundary_inland_data_changed after insert or update or delete or truncate on boundary_inland
  for each statement execute function data_changed();

-- It is known only of today: not as of a date, and not of a past state.
do $$
declare
  own text := current_schema();
  one text;
begin
  foreach one in array array[own || '_as_of', own || '_as_of_sets', own || '_pin', own || '_pin_as_of'] loop
    execute format('create view %I.boundary_inland as select * from %I.boundary_inland where false', one, own);
    execute format('grant select on %I.boundary_inland to public', one);
  end loop;
  one := own || '_sets';
  execute format('create view %I.boundary_inland as select * from %I.boundary_inland where %I.reads_official()', one, own, own);
  execute format('grant select on %I.boundary_inland to public', one);
end
$$;
