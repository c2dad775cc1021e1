-- Requests a minute, shared by processes. Unlogged: after a crash a minute's counts are no loss.

create unlogged table rate_window (
  subject text primary key,            -- an organisation, or a network
  minute bigint not null,              -- minutes since the epoch
  taken integer not null,              -- what processes have taken of the limit
  granted integer not null,            -- what the last of them was given
  allowed integer not null             -- the limit
);

-- What a plan is called by the payment provider; null: it is not sold there.
alter table plan add column payment_price text unique;

-- What organisations pay for, each as the newest event of the provider about it says.
create table subscription (
  id text primary key,                 -- the provider's ids
  org text not null references org on delete cascade,
  customer text not null,
  state text not null check (state in ('live', 'late', 'ended')),
  status text not null,                -- the provider's word for it
  price text,
  changed_at timestamptz not null      -- when the provider's event came to be
);
create index subscription_org on subscription (org);

-- Events of the provider come more than once.
create table payment_event (
  id text primary key,
  received_at timestamptz not null default now()
);
