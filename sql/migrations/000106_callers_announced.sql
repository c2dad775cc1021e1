-- Each process remembers for a few seconds whom a credential stands for. What may change that is announced to all.
create function callers_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('boundary_callers', '');
  return null;
end
$$;

create trigger callers_of_key after update of revoked_at or delete on api_key
  for each statement execute function callers_changed();
create trigger callers_of_session after update of org or delete on session
  for each statement execute function callers_changed();
create trigger callers_of_member after update or delete on membership
  for each statement execute function callers_changed();
create trigger callers_of_account after update or delete on account
  for each statement execute function callers_changed();
create trigger callers_of_org after update of plan, slug or delete on org
  for each statement execute function callers_changed();
create trigger callers_of_grant after update of revoked_at or delete on oauth_grant
  for each statement execute function callers_changed();
create trigger callers_of_token after delete on oauth_record
  for each statement execute function callers_changed();
