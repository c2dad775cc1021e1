-- Requests a minute, shared by processes. Unlogged: after a crash a minute's counts are no loss.

create unlogged table rate_window (
  subject text primary key,            -- an organisation, or a network
  minute bigint not null,              -- minutes since the epoch
  taken integer not null,              -- what processes have taken of the limit
  granted integer not null,            -- what the last of them was given
  allowed integer not null             -- the limit
);
