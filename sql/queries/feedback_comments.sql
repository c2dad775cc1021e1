-- params: $1 item, $2 limit, $3 offset; returns: its comments, oldest first
select id, by_operator, body, created_at from feedback_comment where item = $1 order by id limit $2 offset $3
