-- params: $1 kind, $2 title, $3 details, $4 folded title, $5 text for trigrams, $6 account; returns: the new item's id, with its author's vote
with item as (
  insert into feedback_item (kind, title, details, folded, ascii, author, created_at)
  values ($1, $2, $3, $4, $5, $6, clock_timestamp())
  returning id
),
opened as (
  insert into feedback_status (item, position, status) select id, 0, 'open' from item
)
select id from item
