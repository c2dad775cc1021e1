-- name: feedback_comments
-- params: $1 item, $2 limit, $3 offset
-- returns: its comments, oldest first
select id, by_operator, body, created_at from feedback_comment where item = $1 order by id limit $2 offset $3

-- name: feedback_history
-- params: $1 item
-- returns: its statuses, oldest first
-- types: status 'open' | 'planned' | 'in_progress' | 'done' | 'declined' | 'duplicate'
select status, duplicate_of, set_at from feedback_status where item = $1 order by position

-- name: feedback_items
-- params: $1 ids, $2 account or null
-- returns: the items, each with whether the account voted for it
-- not null: voted
select i.id, i.kind, i.status, i.duplicate_of, i.title, i.details, i.upvotes, i.comments as comment_count, i.created_at,
       exists (select from feedback_vote v where v.item = i.id and v.account = $2::text) as voted
from feedback_item i
where i.id = any ($1::bigint[])

-- name: feedback_list
-- params: $1 kind or null, $2 statuses or null, $3 patterns that the folded title must match, $4 only of this author
--   or null, $5 hide what is later than this or null, $6 top or new, $7 limit, $8 offset, $9 account or null
-- returns: a page of items, each with the total of all that match and the time of the newest item at all
-- not null: total, as_of, created_at, voted, kind, status, title, details, upvotes, comment_count
with newest as (
  select coalesce($5::timestamptz, max(created_at), now()) as as_of from feedback_item
),
matching as (
  select i.* from feedback_item i, newest n
  where i.created_at <= n.as_of
    and ($1::text is null or i.kind = $1) and ($2::text[] is null or i.status = any ($2))
    and i.folded like all ($3::text[])
    and ($4::text is null or i.author = $4)
),
page as (
  select id from matching
  order by case when $6::text = 'top' then upvotes end desc nulls last, id desc
  limit $7 offset $8
)
select i.id, i.kind, i.status, i.duplicate_of, i.title, i.details, i.upvotes, i.comments as comment_count, i.created_at,
       exists (select from feedback_vote v where v.item = i.id and v.account = $9::text) as voted,
       (select count(*) from matching) as total,
       to_char(n.as_of at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as as_of
from newest n
left join (page p join feedback_item i on i.id = p.id) on true
order by case when $6::text = 'top' then i.upvotes end desc nulls last, i.id desc

-- name: feedback_lock
-- params: nothing
-- returns: nothing. Serializes the creation of items, so that no item older than one already read appears later
select pg_advisory_xact_lock(hashtext('feedback_item'))

-- name: feedback_lock_items
-- params: $1 ids
-- returns: their status; locks both until the end of the transaction
select id, status from feedback_item where id = any ($1::bigint[]) order by id for update

-- name: feedback_put
-- params: $1 kind, $2 title, $3 details, $4 folded title, $5 text for trigrams, $6 account
-- returns: the new item's id
with item as (
  insert into feedback_item (kind, title, details, folded, ascii, author, created_at)
  values ($1, $2, $3, $4, $5, $6, clock_timestamp())
  returning id
),
opened as (
  insert into feedback_status (item, position, status) select id, 0, 'open' from item
)
select id from item

-- name: feedback_put_comment
-- params: $1 item, $2 account, $3 whether an operator writes, $4 body
-- returns: the comment, or no row when the item does not exist
with counted as (
  update feedback_item set comments = comments + 1 where id = $1 returning id
)
insert into feedback_comment (item, author, by_operator, body)
select id, $2::text, $3::boolean, $4::text from counted
returning id, by_operator, body, created_at

-- name: feedback_set_status
-- params: $1 item, $2 status, $3 duplicate of or null
-- returns: nothing
with changed as (
  update feedback_item set status = $2, duplicate_of = $3 where id = $1 returning id
)
insert into feedback_status (item, position, status, duplicate_of)
select c.id, (select count(*) from feedback_status s where s.item = c.id), $2, $3 from changed c

-- name: feedback_similar
-- params: $1 text for trigrams, $2 item to leave out, $3 limit
-- returns: ids of similar items, the most similar first
select id from feedback_item
where ascii % $1 and id <> $2
order by similarity(ascii, $1) desc, id desc
limit $3

-- name: feedback_unvote
-- params: $1 item, $2 account
-- returns: a row when there was a vote
delete from feedback_vote where item = $1 and account = $2 returning item

-- name: feedback_vote
-- params: $1 item, $2 account
-- returns: a row when the item exists and the account had not voted for it
insert into feedback_vote (item, account)
select i.id, $2::text from feedback_item i where i.id = $1
on conflict do nothing
returning item
