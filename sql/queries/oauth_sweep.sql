-- params: nothing; returns: how many expired records were dropped
with dropped as (delete from oauth_record where expires_at < now() - case when model = 'Interaction' then interval '0' else interval '1 day' end returning 1)
select count(*) as records from dropped
