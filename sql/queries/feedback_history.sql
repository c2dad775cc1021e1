-- params: $1 item; returns: its statuses, oldest first
select status, duplicate_of, set_at from feedback_status where item = $1 order by position
