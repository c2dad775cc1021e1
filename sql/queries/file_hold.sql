-- params: $1 org, $2 file; returns: its id, the row held until the end of the transaction, or no row
select id from file where org = $1 and id = $2 for no key update
