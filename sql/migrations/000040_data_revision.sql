-- One number for the state of the boundaries: whatever was made of them is good as long as it stays the same. It is the
-- number of transactions that changed them: each adds a row of its own and so waits for no other, and the rows are
-- counted into the base and removed from time to time.
create table data_change (
  transaction xid8 not null,
  started_at timestamptz not null,     -- in a database that was restored, transactions are numbered anew
  primary key (transaction, started_at)
);
create table data_revision (
  one boolean primary key default true check (one),
  base bigint not null
);
insert into data_revision (base) values (1);

create function data_changed() returns trigger language plpgsql as $$
begin
  insert into data_change values (pg_current_xact_id(), transaction_timestamp()) on conflict do nothing;
  return null;
end
$$;
create trigger boundary_data_changed after insert or update or delete or truncate on boundary
  for each statement execute function data_changed();
create trigger boundary_parent_data_changed after insert or update or delete or truncate on boundary_parent
  for each statement execute function data_changed();
create trigger boundary_alias_data_changed after insert or update or delete or truncate on boundary_alias
  for each statement execute function data_changed();
