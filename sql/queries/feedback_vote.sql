-- params: $1 item, $2 account; returns: a row when the item is there and had no vote of theirs
insert into feedback_vote (item, account)
select i.id, $2::text from feedback_item i where i.id = $1
on conflict do nothing
returning item
