-- params: $1 org, $2 action or null, $3 limit, $4 offset; returns: entries newest first, each with the number of all that match
select id, created_at, action, actor_type, actor_id, actor_name, target_type, target_id, target_name, details, request_id,
       count(*) over () as total
from audit_log
where org = $1 and ($2::text is null or action = $2)
order by created_at desc, id desc
limit $3 offset $4
