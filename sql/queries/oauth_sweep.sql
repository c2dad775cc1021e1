-- takes: nothing; gives: how many expired records were dropped
with dropped as (delete from oauth_record where expires_at < now() - interval '1 day' returning 1)
select count(*) as records from dropped
