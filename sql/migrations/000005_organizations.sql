-- Invitations to organisations, and teams in them.

-- Only the SHA-256 of the token is kept: who reads this table can accept nothing.
create table invite (
  id text primary key,                 -- inv_ + ULID
  org text not null references org on delete cascade,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  token_hash bytea not null unique,
  invited_by text references account on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz
);
create index invite_org on invite (org, created_at desc);
create index invite_invited_by on invite (invited_by);

create table team (
  id text primary key,                 -- team_ + ULID
  org text not null references org on delete cascade,
  slug text not null check (slug ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'),
  name text not null,
  created_at timestamptz not null default now(),
  unique (org, slug),
  unique (id, org)                     -- what team_member refers to
);

-- Of a team is only who is of its organisation: whoever leaves the one leaves the other.
create table team_member (
  team text not null,
  org text not null,
  account text not null,
  created_at timestamptz not null default now(),
  primary key (team, account),
  foreign key (team, org) references team (id, org) on delete cascade,
  foreign key (org, account) references membership on delete cascade
);
create index team_member_account on team_member (account, org);
