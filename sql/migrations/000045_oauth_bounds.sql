-- What anyone may store without signing in (clients, requests for authorization) is bounded for each network.
alter table oauth_record add column network bytea;   -- SHA-256 of the network that asked; null: not asked over HTTP
create index oauth_record_network on oauth_record (model, network, expires_at)
  where network is not null and expires_at is not null;
