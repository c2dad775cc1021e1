-- Units come out of a pool: that of the organization, or the one that all organizations of one founder on plans that cost
-- nothing share. The tables of pools are named after the units, and their column after the pool.
alter table usage_month rename to unit_month;
alter table unit_month rename column purse to pool;
alter table unit_month rename constraint usage_month_pkey to unit_month_pkey;
alter table unit_month rename constraint usage_month_reserved_check to unit_month_reserved_check;
alter table unit_month rename constraint usage_month_used_check to unit_month_used_check;
alter table usage_reservation rename to unit_reservation;
alter table unit_reservation rename column purse to pool;
alter table unit_reservation rename constraint usage_reservation_pkey to unit_reservation_pkey;
alter table unit_reservation rename constraint usage_reservation_units_check to unit_reservation_units_check;
alter index usage_reservation_expiry rename to unit_reservation_expiry;
alter index usage_reservation_purse rename to unit_reservation_pool;
alter view org_purse rename to org_budget;
alter view org_budget rename column purse to pool;

-- Servers of the previous release read and write these until the upgrade has replaced them. The next release drops them.
create view usage_month as select pool as purse, month, used, reserved from unit_month;
create view usage_reservation as select id, org, month, op, units, expires_at, pool as purse from unit_reservation;
create view org_purse as select org, units, pool as purse from org_budget;
