-- params: $1 item, $2 status, $3 duplicate of or null; returns: nothing
with changed as (
  update feedback_item set status = $2, duplicate_of = $3 where id = $1 returning id
)
insert into feedback_status (item, position, status, duplicate_of)
select c.id, (select count(*) from feedback_status s where s.item = c.id), $2, $3 from changed c
