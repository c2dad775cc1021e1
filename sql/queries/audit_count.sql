-- params: $1 org, $2 action or null; returns: the number of entries
select count(*) as total from audit_log where org = $1 and ($2::text is null or action = $2)
