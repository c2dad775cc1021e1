-- Files of the library that are made again when the boundaries change that they are made of.
alter table file add column data_at timestamptz; -- the moment of the data it was made from; null: take updated_at

create table file_follow (
  file text primary key references file on delete cascade,
  org text not null,                   -- of the file
  checked_at timestamptz not null,     -- changes up to this moment of the data are in the file, or are none of its boundaries
  due_at timestamptz not null default now(), -- not looked at before: a process does, or it could not be made
  attempts integer not null default 0, -- that failed since it was made last
  error text                           -- JSON: code and detail of the last failure; null: none
);
create index file_follow_org on file_follow (org);
create index file_follow_checked on file_follow (checked_at, due_at);
