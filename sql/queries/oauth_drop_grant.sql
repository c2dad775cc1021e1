-- takes: $1 grants; gives: nothing
delete from oauth_record where grant_id = any($1::text[])
