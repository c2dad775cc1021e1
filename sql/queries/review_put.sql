-- params: $1 id for a new review, $2 account; returns: the account's review, held until the end of the transaction
insert into review as r (id, account) values ($1, $2)
on conflict (account) do update set account = excluded.account
returning r.id
