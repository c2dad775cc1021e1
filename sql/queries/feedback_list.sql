-- params: $1 kind or null, $2 statuses or null, $3 patterns that the folded title must match, $4 only of this author or null, $5 hide what is later than this or null, $6 top or new, $7 limit, $8 offset, $9 account or null; returns: a page of items, each with the number of all that match and the time of the newest item there is
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
