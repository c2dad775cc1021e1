-- Work that is too large for one answer, done in parts by whichever process is free.

-- How long the result of a job is kept, in days; null: until it is deleted. One job takes more than one call does.
alter table plan add column job_days integer check (job_days > 0);
update plan set job_days = 7 where id = 'free';
update plan set job_days = 30 where id = 'pro';
update plan set job_days = 90 where id = 'business';
update plan set batch_size = 5000 where id = 'free' and batch_size = 100;
update plan set batch_size = 50000 where id = 'pro' and batch_size = 1000;
update plan set batch_size = 100000 where id = 'business' and batch_size = 10000;

create table job (
  id text primary key,                 -- job_ + ULID
  org text not null references org on delete cascade,
  account text not null references account on delete cascade,
  role text not null,                  -- that the creator's credential gave: the job never has more
  op text not null,                    -- the operation whose answer it makes
  input text not null,                 -- JSON
  name text not null,                  -- of the file
  visibility text not null check (visibility in ('org', 'restricted')),
  state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'canceled')),
  units bigint not null check (units >= 0),       -- reserved when it was created
  reservation text,                    -- null: nothing is reserved, as on an unlimited plan
  charged bigint not null default 0,
  total integer not null,              -- boundaries
  done integer not null default 0,
  revision bigint,                     -- of the data that its parts are made of; null: none is made
  resets integer not null default 0,   -- times that the data changed under it, so that it began again
  attempts integer not null default 0, -- claims since a part was last kept
  token bigint not null default 0,     -- of the newest claim: what an older one brings is refused
  lease_until timestamptz,             -- when the claim ends unless it is renewed
  run_at timestamptz not null default now(),      -- not before
  failed jsonb not null default '[]',  -- boundaries that are not in the file: id, name, reason
  error jsonb,                         -- code and detail of a failed job
  file text references file on delete set null,
  mail boolean not null default false,
  webhook text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  check ((state in ('done', 'failed', 'canceled')) = (ended_at is not null))
);
create index job_live on job (run_at) where state in ('queued', 'running');
create index job_org on job (org, created_at desc, id desc);
create index job_account on job (account);
create index job_file on job (file);
create index job_ended on job (ended_at) where ended_at is not null;

-- What is made of a job so far. A part is named after its job, its place and the claim that made it.
create table job_part (
  job text not null references job on delete cascade,
  part integer not null,
  blob text not null check (blob ~ '^[0-9a-f]{64}$'),
  about jsonb not null,                -- what of it the end of the job has to know
  primary key (job, part)
);
create index job_part_blob on job_part (blob);

-- Calls to addresses of users, on their way.
create table webhook (
  id text primary key,                 -- evt_ + ULID
  org text not null references org on delete cascade,
  url text not null,
  body text not null,                  -- JSON, as it is signed
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index webhook_due on webhook (next_at);
create index webhook_org on webhook (org);
