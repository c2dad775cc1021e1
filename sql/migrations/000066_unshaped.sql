-- What is known of where boundaries without a polygon lie: the box of their ways that are stored, the country, and how
-- it is known.
create table unshaped (
  boundary_id text primary key references boundary (id) on delete cascade,
  extent geometry(Polygon, 4326),
  country text,
  basis text
);
create index unshaped_extent on unshaped using gist (extent);
create index unshaped_country on unshaped (country);
-- Which relations name a boundary as a part of theirs.
create index boundary_subareas on boundary using gin (subareas);
