-- Formats of library files become a table instead of two lists. These were the lists; whoever migrates the database adds
-- the formats that its release has besides (src/db/migrate.ts).

create table file_format (
  name text primary key
);
insert into file_format
values ('geojson'), ('kml'), ('wkt'), ('svg'), ('gml'), ('geojsonseq'), ('ndjson'), ('topojson'), ('flatgeobuf'),
       ('geopackage'), ('geoparquet'), ('shapefile'), ('zip'), ('pmtiles'), ('csv'), ('poly'), ('json'), ('parquet');

alter table file_blob drop constraint file_blob_format_check;
alter table file_blob add constraint file_blob_format_fkey foreign key (format) references file_format;

alter table file drop constraint file_format_check;
alter table file add constraint file_format_fkey foreign key (format) references file_format;
