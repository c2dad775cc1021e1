-- Bytes of the library are put and removed outside of transactions: their row says what is intended with them.
-- A row is made before its bytes are put, marked before they are removed, and dropped when they are gone.
alter table file_blob
  add column generation bigint generated always as identity, -- bytes that were removed and come again are others
  add column claimed_at timestamptz not null default now(),  -- when somebody last set about putting them
  add column leaving_at timestamptz;                         -- when somebody set about removing them; nobody names such
