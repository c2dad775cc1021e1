-- What has no polygon, and why: few among all boundaries, and asked for by every update and by get_data_status.
create index boundary_broken on boundary (source, id) where broken is not null;
create index boundary_without_geometry on boundary (source) where not has_geometry;
