-- What is found by a name is an answer of the data as well: whatever changes a name changes the state of it.
create trigger boundary_name_data_changed after insert or update or delete or truncate on boundary_name
  for each statement execute function data_changed();
