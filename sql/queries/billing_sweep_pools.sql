-- params: nothing; returns: nothing. Of accounts that were deleted in an earlier month no counts are kept; a pool that organizations use, or that has a new account, goes on.
with gone as (
  delete from pool_of_the_gone where gone_at < date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'
  returning pool
)
delete from usage_month m using gone g
where m.purse = g.pool and not exists (select from org o where o.pool = g.pool)
