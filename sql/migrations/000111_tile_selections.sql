-- Selections that tiles are drawn of, by the SHA-256 of what they say: kept for a while after they were used last.
create table tile_selection (
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  selection text not null check (length(selection) <= 300000), -- as JSON; ids of boundaries, or of a file of the library
  org text references org (id) on delete set null,              -- who stored it first with a key; null: without a key
  used_at timestamptz not null default now()
);

create index tile_selection_use on tile_selection (org, used_at);
