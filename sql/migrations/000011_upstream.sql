-- What is asked of upstream servers: who asks for what, what the answers were, and what the day has cost.

create table upstream_fetch (
  key text primary key,                -- a canonical id, wikidata:Q…, iso:…, children:…, at:…
  lease text,                          -- the process that asks now; it has died when its time is over
  leased_until timestamptz,
  server text,                         -- whose slot the request under way takes
  outcome text check (outcome in ('found', 'missing', 'broken')), -- of the last request that was answered whole
  ids text[],                          -- what was found
  asked_at timestamptz,
  holds_until timestamptz,             -- the answer is good until then
  failure text                         -- why the last request brought nothing; null when it did
);
create index upstream_fetch_due on upstream_fetch (holds_until) where outcome = 'found' or outcome = 'broken';
create index upstream_fetch_leased on upstream_fetch (server) where server is not null;

create table upstream_day (
  day date primary key,                -- UTC
  requests bigint not null default 0,
  bytes bigint not null default 0,
  anonymous_requests bigint not null default 0, -- those for callers without a credential
  anonymous_bytes bigint not null default 0,
  background_requests bigint not null default 0, -- those that nobody waits for
  background_bytes bigint not null default 0
);

-- When the next request may be sent to a server that allows so many a second, over all processes.
create table upstream_turn (
  server text primary key,
  next_at timestamptz not null
);
