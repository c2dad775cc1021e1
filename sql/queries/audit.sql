-- name: audit_count
-- params: $1 org, $2 action or null
-- returns: the number of entries
-- not null: total
select count(*) as total from audit_log where org = $1 and ($2::text is null or action = $2)

-- name: audit_list
-- params: $1 org, $2 action or null, $3 limit, $4 offset
-- returns: entries, newest first, each with the total of all that match
-- not null: total
-- types: details { [x: string]: unknown }
select id, created_at, action, actor_type, actor_id, actor_name, target_type, target_id, target_name, details, request_id,
       count(*) over () as total
from audit_log
where org = $1 and ($2::text is null or action = $2)
order by created_at desc, id desc
limit $3 offset $4

-- name: audit_put
-- params: $1 id, $2 org, $3 action, $4 actor type, $5 actor id, $6 actor name, $7 target type, $8 target id, $9
--   target name, $10 details as JSON, $11 request id, $12 network
-- returns: nothing
insert into audit_log (id, org, action, actor_type, actor_id, actor_name, target_type, target_id, target_name, details, request_id, network)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text::jsonb, $11, $12)
