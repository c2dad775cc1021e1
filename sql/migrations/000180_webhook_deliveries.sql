-- A call tells of what became of it, for the job that it is about; the calls under way are counted by organization.

alter table webhook add column job text;
alter table webhook add column lease_until timestamptz;    -- a process makes the call until then
alter table webhook add column delivered_at timestamptz;
alter table webhook add column error text;                 -- why the last attempt failed
create index webhook_job on webhook (job) where job is not null;
create index webhook_lease on webhook (org) where lease_until is not null;
