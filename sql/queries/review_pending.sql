-- params: $1 limit, $2 offset; returns: reviews whose newest version is not published, oldest first, with the number of all
with newest as (
  select distinct on (v.review) v.review as id, v.version, v.rating, v.title, v.body, v.likes, v.dislikes, v.use_case, v.display_name,
         v.display_company, v.created_at, v.published_at, r.response, r.responded_at
  from review_version v join review r on r.id = v.review
  order by v.review, v.version desc
)
select n.*, count(*) over () as total
from newest n
where n.published_at is null
order by n.created_at, n.id
limit $1 offset $2
