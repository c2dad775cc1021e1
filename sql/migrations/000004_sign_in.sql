-- Signing in: links by mail, browser sessions, device codes, mail on its way, secrets of the service.

-- Null until the person first signs in with a browser: that is when their name is asked.
alter table account add column signed_in_at timestamptz;

-- Only hashes are kept of what people prove themselves with: who reads these tables can sign in as nobody.
create table sign_in_link (
  token_hash bytea primary key,
  browser_hash bytea not null,         -- of the cookie of the browser that asked
  email text not null,
  next text not null,                  -- the path to go on to
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_link_expiry on sign_in_link (expires_at);

-- Ends 30 days after it was last used and 90 days after it began.
create table session (
  id text primary key,                 -- ses_ + ULID
  hash bytea not null unique,
  account text not null references account on delete cascade,
  org text references org on delete set null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()   -- to the hour
);
create index session_account on session (account);
create index session_org on session (org);

-- Codes for signing in from the command line. Used ones are kept a day, so that they are told from unknown ones.
create table device_code (
  device_hash bytea primary key,
  user_hash bytea not null unique,
  client_name text not null,
  address text,
  interval_s integer not null default 5,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  polled_at timestamptz,
  account text references account on delete cascade,
  org text references org on delete cascade,
  approved boolean,                    -- null: nobody decided yet
  decided_at timestamptz,
  used_at timestamptz
);
create index device_code_expiry on device_code (expires_at);

-- How often somebody tried something in the running window; the subject is a hash.
create table attempt (
  subject bytea primary key,
  count integer not null,
  ends_at timestamptz not null
);
create index attempt_end on attempt (ends_at);

-- Mail to be sent, written in the transaction that it tells of. A row is dropped when its mail was taken.
create table outbox (
  id text primary key,                 -- mail_ + ULID
  recipient text not null,
  subject text not null,
  text text not null,
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  expires_at timestamptz not null      -- what was not sent by then is dropped
);
create index outbox_next on outbox (next_at);

-- Keys that the service makes for itself.
create table secret (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);
