-- Accounts, organisations, keys, plans and the month's units.

-- Prices and limits are rows: an operator may change them without a release. The cost of each operation is declared with it.
create table plan (
  id text primary key,
  name text not null,
  price_month integer,                 -- in whole units of the currency; null: not sold
  included_units bigint,               -- a calendar month (UTC); null: unlimited
  requests_per_minute integer,         -- null: unlimited
  batch_size integer,                  -- boundaries in one batch export; null: unlimited
  position integer not null,
  listed boolean not null default true
);

-- What callers without a key get is a plan too, one nobody can be on.
insert into plan (id, name, price_month, included_units, requests_per_minute, batch_size, position, listed) values
  ('anonymous',   'Without a key', null, 0,       60,   0,     0, false),
  ('free',        'Free',          0,    1000,    120,  100,   1, true),
  ('pro',         'Pro',           29,   50000,   600,  1000,  2, true),
  ('business',    'Business',      199,  1000000, 3000, 10000, 3, true),
  ('self_hosted', 'Self-hosted',   0,    null,    null, null,  4, true);

create table account (
  id text primary key,                 -- usr_ + ULID
  email text not null unique check (email = lower(email)),
  name text,
  operator boolean not null default false,
  created_at timestamptz not null default now()
);

create table org (
  id text primary key,                 -- org_ + ULID
  slug text not null unique check (slug ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'),
  name text not null,
  plan text not null references plan,
  personal_of text unique references account on delete set null,
  created_at timestamptz not null default now()
);

create table membership (
  org text not null references org on delete cascade,
  account text not null references account on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (org, account)
);
create index membership_account on membership (account);

-- Only the SHA-256 of a key is kept; `prefix` is what lists show of it.
create table api_key (
  id text primary key,                 -- key_ + ULID
  account text not null references account on delete cascade,
  org text not null references org on delete cascade,
  name text not null,
  prefix text not null,
  hash bytea not null unique,
  operator boolean not null default false,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,            -- to the minute
  revoked_at timestamptz
);
create index api_key_account on api_key (account) where revoked_at is null;
create index api_key_org on api_key (org);

-- Units of an org in a calendar month (UTC): used + reserved never exceeds the plan's.
create table usage_month (
  org text not null references org on delete cascade,
  month date not null,
  used bigint not null default 0 check (used >= 0),
  reserved bigint not null default 0 check (reserved >= 0),
  primary key (org, month)
);

-- A call that runs holds its units here; success makes them used, failure or expiry gives them back.
create table usage_reservation (
  id text primary key,
  org text not null references org on delete cascade,
  month date not null,
  op text not null,
  units bigint not null check (units > 0),
  expires_at timestamptz not null
);
create index usage_reservation_expiry on usage_reservation (expires_at);
create index usage_reservation_org on usage_reservation (org, expires_at);

create table usage_by_op (
  org text not null references org on delete cascade,
  month date not null,
  op text not null,
  calls bigint not null default 0,
  units bigint not null default 0,
  primary key (org, month, op)
);
