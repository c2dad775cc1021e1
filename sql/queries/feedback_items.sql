-- params: $1 ids, $2 account or null; returns: the items, whether the account voted for each and filed it
select i.id, i.kind, i.status, i.duplicate_of, i.title, i.details, i.upvotes, i.comments as comment_count, i.created_at,
       exists (select from feedback_vote v where v.item = i.id and v.account = $2::text) as voted
from feedback_item i
where i.id = any ($1::bigint[])
