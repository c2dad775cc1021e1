-- The library of files of each organisation: entries, who they are shared with, and the bytes they name.

-- Bytes in the blob store that entries name. Who writes, names or removes bytes holds their row: nobody removes what
-- another is about to name.
create table file_blob (
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  format text not null check (format in ('geojson', 'kml', 'wkt', 'svg', 'gml')),
  bytes bigint not null check (bytes >= 0)
);

create table file (
  id text primary key,                 -- file_ + ULID
  org text not null references org on delete cascade,
  creator text references account on delete set null,
  name text not null,
  boundary text not null,              -- no reference: an entry outlives the boundary it was made of
  version integer not null,            -- of the boundary when it was exported
  format text not null check (format in ('geojson', 'kml', 'wkt', 'svg', 'gml')),
  detail text not null check (detail in ('low', 'medium', 'high', 'full')),
  visibility text not null check (visibility in ('org', 'restricted')),
  sha256 text not null references file_blob,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, org, visibility, created_at) -- what file_share refers to
);
-- Saving again finds the entry: one for all of the organisation, and one for each person among the restricted ones.
create unique index file_once_org on file (org, boundary, format, detail) where visibility = 'org';
create unique index file_once_own on file (org, creator, boundary, format, detail) where visibility = 'restricted';
create index file_newest on file (org, created_at desc, id desc);
create index file_newest_org on file (org, created_at desc, id desc) where visibility = 'org';
create index file_newest_own on file (org, creator, created_at desc, id desc) where visibility = 'restricted';
create index file_creator on file (creator);
create index file_sha256 on file (sha256);

-- How many entries an organisation has, so that a list need not count a hundred thousand of them.
create table file_count (
  org text primary key references org on delete cascade,
  everyone bigint not null default 0,  -- of visibility org
  restricted bigint not null default 0
);

-- By statement: an organisation may lose all of its entries at once.
create function file_count_entries() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if not exists (select from gone g join added a on a.id = g.id where a.visibility <> g.visibility) then
      return null;
    end if;
  end if;
  if tg_op <> 'INSERT' then
    update file_count c set everyone = c.everyone - g.everyone, restricted = c.restricted - g.restricted
    from (
      select org, count(*) filter (where visibility = 'org') as everyone,
             count(*) filter (where visibility = 'restricted') as restricted
      from gone group by org
    ) g
    where c.org = g.org;
  end if;
  if tg_op <> 'DELETE' then
    insert into file_count as c (org, everyone, restricted)
    select org, count(*) filter (where visibility = 'org'), count(*) filter (where visibility = 'restricted')
    from added group by org order by org
    on conflict (org) do update
    set everyone = c.everyone + excluded.everyone, restricted = c.restricted + excluded.restricted;
  end if;
  return null;
end
$$;
create trigger file_count_insert after insert on file referencing new table as added
  for each statement execute function file_count_entries();
create trigger file_count_update after update on file referencing old table as gone new table as added
  for each statement execute function file_count_entries();
create trigger file_count_delete after delete on file referencing old table as gone
  for each statement execute function file_count_entries();

-- A share goes to a team or to a member of the file's organisation and ends with either. Those of a member are taken,
-- and logged, in the transaction that ends the membership: that is looked at when it commits.
create table file_share (
  id text primary key,                 -- shr_ + ULID
  file text not null,
  org text not null,
  visibility text not null,            -- of the file, and when that was made: the newest ones shared with a team, or
  file_created_at timestamptz not null, -- with a person, are read off an index
  team text,
  account text,
  access text not null check (access in ('read', 'write', 'admin')),
  created_at timestamptz not null default now(),
  check ((team is null) <> (account is null)),
  unique (file, team),
  unique (file, account),
  foreign key (file, org, visibility, file_created_at) references file (id, org, visibility, created_at)
    on update cascade on delete cascade,
  foreign key (team, org) references team (id, org) on delete cascade,
  foreign key (org, account) references membership deferrable initially deferred
);
create index file_share_team on file_share (team, org, visibility, file_created_at desc, file desc);
create index file_share_account on file_share (account, org, visibility, file_created_at desc, file desc);
