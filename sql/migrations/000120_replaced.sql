-- Seed boundaries whose place another boundary took: what it inherits from them, and what comes back once it is removed.
create table boundary_replaced (
  id text primary key,                                             -- of the seed boundary
  heir text not null references boundary (id) on delete cascade,   -- the boundary that took its place; may have its id
  facts jsonb not null,                                            -- its row of table boundary
  geom geometry(MultiPolygon, 4326) not null,
  parents text[] not null,
  children text[] not null                                         -- those that are seed data
);
create index boundary_replaced_heir on boundary_replaced (heir);
create index boundary_replaced_children on boundary_replaced using gin (children);

-- By field that the source of a boundary does not state: the source of the seed boundary that it was taken from.
alter table boundary add column inherited jsonb;

-- Null where the polygon of the parent holds the child. True where the parent follows from others, from the country of the
-- child, or from the seed boundary that one of the two replaced.
alter table boundary_parent add column derived boolean;
