-- The library holds crosswalks as Parquet, too.

alter table file_blob drop constraint file_blob_format_check;
alter table file_blob add constraint file_blob_format_check check (format in (
  'geojson', 'kml', 'wkt', 'svg', 'gml', 'geojsonseq', 'ndjson', 'topojson', 'flatgeobuf', 'geopackage', 'geoparquet',
  'shapefile', 'zip', 'pmtiles', 'csv', 'poly', 'json', 'parquet'));

alter table file drop constraint file_format_check;
alter table file add constraint file_format_check check (format in (
  'geojson', 'kml', 'wkt', 'svg', 'gml', 'geojsonseq', 'ndjson', 'topojson', 'flatgeobuf', 'geopackage', 'geoparquet',
  'shapefile', 'zip', 'pmtiles', 'csv', 'poly', 'json', 'parquet'));
