-- Which editions pruning keeps, as an operator said it; no row: all of them.
create table history_keep (
  one boolean primary key default true check (one),
  editions integer check (editions >= 0),   -- the last so many of each layer of a source
  since date,                               -- those that answer as of this date or a later one
  check ((editions is null) <> (since is null))
);
