-- params: $1 id, $2 org, $3 action, $4 actor type, $5 actor id, $6 actor name, $7 target type, $8 target id, $9 target name, $10 details as JSON, $11 request id, $12 network; returns: nothing
insert into audit_log (id, org, action, actor_type, actor_id, actor_name, target_type, target_id, target_name, details, request_id, network)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::text::jsonb, $11, $12)
