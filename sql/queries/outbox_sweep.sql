-- params: nothing; returns: how many mails were dropped because their time was over
with dropped as (delete from outbox where expires_at <= now() returning 1)
select count(*) as dropped from dropped
