-- params: nothing; returns: one row when any key was ever made
select id from api_key limit 1
