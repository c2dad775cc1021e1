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

-- What an organisation pays for, as the newest event of the provider says.
create table subscription (
  org text primary key references org on delete cascade,
  id text not null unique,             -- the provider's ids
  customer text not null,
  status text not null,
  changed_at timestamptz not null      -- when the provider's event came to be
);

-- Events of the provider come more than once.
create table payment_event (
  id text primary key,
  received_at timestamptz not null default now()
);
