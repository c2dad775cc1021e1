-- What people see of the restricted files of an organisation is counted for them once, and holds as long as this number:
-- it goes up with every change of entries, shares and teams, in the transaction of the change.
alter table file_count add column revision bigint not null default 1;

create function file_count_revise() returns trigger language plpgsql as $$
begin
  update file_count set revision = revision + 1 where org in (select org from changed);
  return null;
end
$$;
create trigger file_revise_insert after insert on file referencing new table as changed
  for each statement execute function file_count_revise();
create trigger file_revise_update after update on file referencing new table as changed
  for each statement execute function file_count_revise();
create trigger file_revise_delete after delete on file referencing old table as changed
  for each statement execute function file_count_revise();
create trigger file_share_revise_insert after insert on file_share referencing new table as changed
  for each statement execute function file_count_revise();
create trigger file_share_revise_delete after delete on file_share referencing old table as changed
  for each statement execute function file_count_revise();
create trigger team_member_revise_insert after insert on team_member referencing new table as changed
  for each statement execute function file_count_revise();
create trigger team_member_revise_delete after delete on team_member referencing old table as changed
  for each statement execute function file_count_revise();
