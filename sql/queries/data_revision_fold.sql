-- params: nothing; returns: nothing. Counts changes of an hour ago and before into the base: the revision stays the same
with folded as (
  delete from data_change where started_at < now() - interval '1 hour' returning 1
)
update data_revision set base = base + (select count(*) from folded)
where exists (select from folded)
