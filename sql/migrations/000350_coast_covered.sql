-- The time of the newest data that had the line; null when its files state none. An older file takes nothing away.
alter table coast_line add column data_at timestamptz;

-- What sets of land polygons cover: boundaries that reach beyond have no land by them.
create table land_set (
  source text primary key,
  west integer not null,               -- 1e-7 degrees; west > east across the antimeridian
  south integer not null,
  east integer not null,
  north integer not null,
  stated boolean not null              -- by who imported it; otherwise it is the extent of the polygons
);
insert into land_set (source, west, south, east, north, stated)
select source, min((box[1])[0])::integer, min((box[1])[1])::integer, max((box[0])[0])::integer, max((box[0])[1])::integer, false
from coast_line
where source <> 'osm'
group by source;
