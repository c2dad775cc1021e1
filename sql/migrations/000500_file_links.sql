-- Links that give a file of the library to whoever has them, until they expire.
create table file_link (
  id text primary key,                 -- lnk_ + ULID
  file text not null references file on delete cascade,
  creator text not null references account on delete cascade, -- a link gives what its maker may give now
  sha256 text not null unique check (sha256 ~ '^[0-9a-f]{64}$'), -- of its secret, which is kept nowhere
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index file_link_file on file_link (file);
create index file_link_creator on file_link (creator);
create index file_link_expires on file_link (expires_at);

-- Words by which the members of an organization find its files.
alter table file add column tags text[] not null default '{}';
