-- params: $1 grants; returns: nothing
delete from oauth_record where grant_id = any($1::text[])
