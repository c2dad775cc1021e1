-- What people and keys changed, for those who run an organisation. Written in the transaction of the change, never changed.

create table audit_log (
  id text primary key,                 -- aud_ + ULID
  created_at timestamptz not null default now(),
  org text not null,                   -- no reference: entries outlive what they name
  action text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  actor_type text not null check (actor_type in ('person', 'api_key', 'oauth_client', 'system')),
  actor_id text,
  actor_name text not null,
  target_type text not null,
  target_id text,
  target_name text,
  details jsonb not null,
  request_id text,
  network text                         -- of the client's address: /24 of IPv4, /48 of IPv6
);
create index audit_log_org on audit_log (org, created_at desc, id desc);
create index audit_log_org_action on audit_log (org, action, created_at desc, id desc);

create function audit_log_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'entries of the audit log are never changed';
end
$$;
create trigger audit_log_is_final before update or delete or truncate on audit_log
  for each statement execute function audit_log_is_final();
