-- OAuth: what oidc-provider keeps, and the grants that people see and revoke.

-- Clients, codes, tokens and interactions by the SHA-256 of their id: who reads this table can use none of them.
create table oauth_record (
  model text not null,
  id_hash bytea not null,
  payload jsonb not null,
  grant_id text,
  consumed_at timestamptz,
  expires_at timestamptz,              -- null: a client that has a grant
  primary key (model, id_hash)
);
create index oauth_record_grant on oauth_record (grant_id) where grant_id is not null;
create index oauth_record_expiry on oauth_record (expires_at) where expires_at is not null;

-- A person lets a client act in one organisation. The scope that counts is the least of this, the token's and the role's.
create table oauth_grant (
  id text primary key,                 -- oidc-provider's id of the grant
  account text not null references account on delete cascade,
  org text not null references org on delete cascade,
  client_id text not null,
  client_name text not null,
  scope text not null check (scope in ('read', 'write', 'admin')),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,            -- to the minute
  revoked_at timestamptz
);
create index oauth_grant_account on oauth_grant (account, org) where revoked_at is null;
