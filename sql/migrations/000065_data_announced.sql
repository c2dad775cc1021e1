-- Whoever keeps what was read of the boundaries is told when they have changed, as the transaction commits. The sources
-- belong to it: their names, licences and attributions are shown with every boundary.
create or replace function data_changed() returns trigger language plpgsql as $$
begin
  insert into data_change values (pg_current_xact_id(), transaction_timestamp()) on conflict do nothing;
  perform pg_notify('boundary_data', '');
  return null;
end
$$;
create trigger source_data_changed after insert or delete on source
  for each statement execute function data_changed();
create trigger source_told_changed after update on source
  for each row when ((old.name, old.url, old.licence, old.attribution, old.starter)
                     is distinct from (new.name, new.url, new.licence, new.attribution, new.starter))
  execute function data_changed();
