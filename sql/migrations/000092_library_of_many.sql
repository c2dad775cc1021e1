-- The library holds more than single boundaries: unions, collections, and what jobs make.

alter table file_blob drop constraint file_blob_format_check;
alter table file_blob add constraint file_blob_format_check check (format in (
  'geojson', 'kml', 'wkt', 'svg', 'gml', 'geojsonseq', 'ndjson', 'topojson', 'flatgeobuf', 'geopackage', 'geoparquet',
  'shapefile', 'zip', 'csv', 'poly', 'json'));

alter table file drop constraint file_format_check;
alter table file add constraint file_format_check check (format in (
  'geojson', 'kml', 'wkt', 'svg', 'gml', 'geojsonseq', 'ndjson', 'topojson', 'flatgeobuf', 'geopackage', 'geoparquet',
  'shapefile', 'zip', 'csv', 'poly', 'json'));
alter table file alter column boundary drop not null;
alter table file alter column version drop not null;
alter table file alter column detail drop not null;
alter table file
  add column made_by text not null default 'export_boundary', -- the operation whose answer the file is
  add column recipe text,              -- SHA-256 of that operation and its input: saving the same again finds the entry
  add column input jsonb,              -- of a recipe, to make the file again
  add column expires_at timestamptz;   -- the result of a job is kept as long as the plan says; null: until it is deleted
alter table file add constraint file_made check (
  (made_by = 'export_boundary') = (boundary is not null)
  and (boundary is null) = (version is null)
  and (boundary is null or detail is not null)
  and (recipe is null) = (input is null));

-- As file_once_org and file_once_own, for what is not a single boundary. Results of jobs have no recipe.
create unique index file_recipe_org on file (org, recipe) where visibility = 'org';
create unique index file_recipe_own on file (org, creator, recipe) where visibility = 'restricted';
create index file_expiry on file (expires_at) where expires_at is not null;
