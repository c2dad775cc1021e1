-- What files of OpenStreetMap with coastlines state to cover, in 1e-7 degrees: where a boundary within one has no coast, it
-- is not by the sea. None is within another.
create table coast_extent (
  west integer not null,
  south integer not null,
  east integer not null,
  north integer not null,
  primary key (west, south, east, north)
);

-- The source of the coast that decided; null where the land is not known. An import knows by it what is beside the boundaries
-- that it works out.
alter table boundary_land add column decided_by text;

-- What is replaced keeps it, as every column.
alter table past_boundary_land add column decided_by text;
create or replace function past_boundary_land() returns trigger language plpgsql as $$
declare
  number bigint := data_recording();
begin
  insert into past_boundary_land (boundary_id, state, land_km2, reason, lat, lon, decided_by, recorded_in, replaced_in)
  select boundary_id, state, land_km2, reason, lat, lon, decided_by, recorded_in, number
  from replaced where recorded_in is distinct from number;
  return null;
end
$$;
