-- What a statement removes is recorded at once, not row by row. Its parents are removed with it, by the foreign key: all of
-- them are then the rows of one statement, whose triggers fire after those of the boundaries.
create function boundaries_removed() returns trigger language plpgsql as $$
declare
  own bigint;
begin
  if not exists (select from removed) then
    return null;
  end if;
  own := current_batch();
  insert into data_event (batch, boundary_id, before)
  select own, r.id, boundary_facts(r) || '{"parents": []}'::jsonb from removed r
  on conflict (batch, boundary_id) do update
  set after = null, before = data_event.before || '{"parents": []}'::jsonb;
  return null;
end
$$;
drop trigger boundary_event_removed on boundary;
drop function boundary_removed();
create trigger boundary_event_removed after delete on boundary referencing old table as removed
  for each statement execute function boundaries_removed();

-- Nothing is known of how many rows these tables have: a nested loop over them could take the square of that.
create function boundary_parents_removed() returns trigger language plpgsql set enable_nestloop = off as $$
declare
  own bigint;
begin
  select id into own from data_batch where transaction = pg_current_xact_id() and started_at = transaction_timestamp();
  if own is null then
    return null;
  end if;
  update data_event e
  set before = e.before || jsonb_build_object('parents', p.parents)
  from (select child, jsonb_agg(parent) as parents from removed group by child) p
  where e.batch = own and e.boundary_id = p.child and e.after is null and e.before is not null;
  return null;
end
$$;
create trigger boundary_event_parents after delete on boundary_parent referencing old table as removed
  for each statement execute function boundary_parents_removed();
