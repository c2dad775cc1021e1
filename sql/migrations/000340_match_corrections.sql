-- Names that an organization has corrected: what a row of its tables means, by the name and the places around it.
create table match_correction (
  org text not null references org on delete cascade,
  name text not null,          -- folded
  within text not null,        -- folded names of the places around it, the innermost first, separated by |
  written text not null,       -- the name as it was sent
  boundary text not null,      -- canonical id; it may be replaced or deleted later
  created_at timestamptz not null default now(),
  primary key (org, name, within)
);
