-- The order in which sources answer for the same place; set by the operator. Null: after those that have one.
alter table source add column position integer;

-- Answers of the old order are not given once it changed.
create trigger source_order_changed after update of position or delete on source
  for each statement execute function data_changed();
