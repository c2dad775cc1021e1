-- takes: $1 org; gives: its subscription, held until the end of the transaction
select id, customer, status, changed_at from subscription where org = $1 for update
