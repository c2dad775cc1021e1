-- params: $1 ids; returns: their status; both are held until the end of the transaction
select id, status from feedback_item where id = any ($1::bigint[]) order by id for update
