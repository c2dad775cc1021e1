-- What each transaction changed of the boundaries: for the feed of changes, and for those who subscribed to them. Rows
-- are removed after some months.
create table data_batch (
  id bigint generated always as identity primary key,
  transaction xid8 not null,
  started_at timestamptz not null,     -- as in data_change, the number of a transaction is not enough
  recorded_in bigint not null,         -- its number in data_record, which has the moment from which others see it
  source text,                         -- of an edition that it stored, which is valid from that date; null: none
  valid_from date,
  announced_at timestamptz,            -- when messages about it were written; null: not yet
  unique (transaction, started_at)
);
create index data_batch_open on data_batch (id) where announced_at is null;
create index data_batch_started on data_batch (started_at);

-- A boundary of today before and after a transaction; null: it did not exist. A boundary of which nothing differs was
-- written and is as before.
create table data_event (
  batch bigint not null references data_batch on delete cascade,
  boundary_id text not null,
  before jsonb,
  after jsonb,
  primary key (batch, boundary_id)
);
create index data_event_boundary on data_event (boundary_id, batch);
create index data_event_parents on data_event using gin ((before -> 'parents'));

create function boundary_facts(b boundary) returns jsonb language sql immutable
  return jsonb_build_object('name', (b).name, 'admin_level', (b).admin_level, 'codes', (b).code_ids,
                            'km2', (b).area_km2, 'shape', encode((b).geometry_hash, 'hex'), 'country', (b).country);

create function current_batch() returns bigint language plpgsql as $$
declare
  found bigint;
begin
  insert into data_batch (transaction, started_at, recorded_in)
  values (pg_current_xact_id(), transaction_timestamp(), data_recording())
  on conflict (transaction, started_at) do nothing;
  select id into found from data_batch where transaction = pg_current_xact_id() and started_at = transaction_timestamp();
  return found;
end
$$;

create function boundary_added() returns trigger language plpgsql as $$
declare
  own bigint;
begin
  if not exists (select from added) then
    return null;
  end if;
  own := current_batch();
  insert into data_event (batch, boundary_id, after)
  select own, n.id, boundary_facts(n) from added n
  on conflict (batch, boundary_id) do update set after = excluded.after;
  return null;
end
$$;
create trigger boundary_event_added after insert on boundary referencing new table as added
  for each statement execute function boundary_added();

create function boundary_edited() returns trigger language plpgsql as $$
declare
  own bigint;
begin
  if not exists (select from replaced o join added n on n.id = o.id
                 where (o.name, o.admin_level, o.code_ids, o.geometry_hash)
                       is distinct from (n.name, n.admin_level, n.code_ids, n.geometry_hash)) then
    return null;
  end if;
  own := current_batch();
  insert into data_event (batch, boundary_id, before, after)
  select own, n.id, boundary_facts(o), boundary_facts(n)
  from replaced o
  join added n on n.id = o.id
  where (o.name, o.admin_level, o.code_ids, o.geometry_hash)
        is distinct from (n.name, n.admin_level, n.code_ids, n.geometry_hash)
  on conflict (batch, boundary_id) do update set after = excluded.after;
  return null;
end
$$;
create trigger boundary_event_edited after update on boundary referencing old table as replaced new table as added
  for each statement execute function boundary_edited();

-- Before, while its parents are still known.
create function boundary_removed() returns trigger language plpgsql as $$
begin
  insert into data_event (batch, boundary_id, before)
  values (current_batch(), old.id, boundary_facts(old) || jsonb_build_object('parents',
    (select coalesce(jsonb_agg(p.parent), '[]'::jsonb) from boundary_parent p where p.child = old.id)))
  on conflict (batch, boundary_id) do update
  set after = null,
      before = case when data_event.before is null then null else data_event.before || jsonb_build_object('parents', excluded.before -> 'parents') end;
  return old;
end
$$;
create trigger boundary_event_removed before delete on boundary for each row execute function boundary_removed();

create function edition_stored() returns trigger language plpgsql as $$
declare
  own bigint := current_batch();
begin
  update data_batch set source = new.source, valid_from = new.valid_from where id = own;
  return null;
end
$$;
create trigger edition_event after insert or update on edition for each row execute function edition_stored();
