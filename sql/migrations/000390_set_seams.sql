-- Gaps between the areas of a version and overlaps of two, as GeoJSON features; null: the version was made before they
-- were found.
alter table area_set_version add column seams jsonb;
