-- Units are taken out of a purse: of the organization's own where its plan is paid for or unlimited, and where it costs
-- nothing out of the pool that all such organizations of one founder share. Founding more of them gives no more units.

-- A pool is named after its founder's address: who deletes the account and comes back finds it as it was.
create function unit_pool(email text) returns text language sql stable
return 'pool_' || encode(sha256(convert_to(email, 'UTF8')), 'hex');

alter table org add column pool text; -- the founder's

with founder as (
  select o.id, coalesce(
    o.personal_of,
    (select coalesce(a.id, k.account) from audit_log l
     left join account a on l.actor_type = 'person' and a.id = l.actor_id
     left join api_key k on l.actor_type = 'api_key' and k.id = l.actor_id
     where l.org = o.id and l.action = 'org.create' order by l.created_at limit 1),
    (select m.account from membership m where m.org = o.id order by m.role <> 'owner', m.created_at, m.account limit 1)
  ) as account
  from org o
)
update org o set pool = unit_pool(a.email)
from founder f join account a on a.id = f.account
where f.id = o.id;

create index org_pool on org (pool);

create view org_purse as
select o.id as org, p.included_units as units,
       case when p.price_month = 0 and p.included_units is not null then coalesce(o.pool, o.id) else o.id end as purse
from org o join plan p on p.id = o.plan;

-- A purse outlives the organizations that pay out of it, and so do the calls that were running when one was deleted.
alter table usage_month drop constraint usage_month_org_fkey;
alter table usage_month rename column org to purse;
alter table usage_by_op drop constraint usage_by_op_org_fkey;
alter table usage_reservation drop constraint usage_reservation_org_fkey;
alter table usage_reservation add column purse text;
update usage_reservation r set purse = u.purse from org_purse u where u.org = r.org;
alter table usage_reservation alter column purse set not null;
drop index usage_reservation_org;
create index usage_reservation_purse on usage_reservation (purse, expires_at);

with moved as (
  delete from usage_month m using org_purse u where u.org = m.purse and u.purse <> m.purse
  returning u.purse, m.month, m.used, m.reserved
)
insert into usage_month (purse, month, used, reserved)
select purse, month, sum(used), sum(reserved) from moved group by purse, month;

-- Pools of accounts that were deleted: their counts are kept until the month is over.
create table pool_of_the_gone (
  pool text primary key,
  gone_at timestamptz not null default now()
);
