-- params: $1 account; returns: its id and email, the row locked, so that its keys are counted by one at a time
select id, email from account where id = $1 for update
