-- params: $1 item, $2 account, $3 whether an operator writes, $4 body; returns: the comment, or no row when there is no such item
with counted as (
  update feedback_item set comments = comments + 1 where id = $1 returning id
)
insert into feedback_comment (item, author, by_operator, body)
select id, $2::text, $3::boolean, $4::text from counted
returning id, by_operator, body, created_at
