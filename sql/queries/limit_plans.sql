-- params: nothing; returns: every plan with its requests a minute, null when unlimited
select id, requests_per_minute from plan
