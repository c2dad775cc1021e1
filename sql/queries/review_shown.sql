-- params: $1 rating or null, $2 new, helpful, highest or lowest, $3 limit, $4 offset; returns: a page of the newest published version of each review, with the number of all that match
with shown as (
  select distinct on (v.review) v.review as id, v.rating, v.title, v.body, v.likes, v.dislikes, v.use_case, v.display_name,
         v.display_company, v.length, v.published_at, r.response, r.responded_at
  from review_version v join review r on r.id = v.review
  where v.published_at is not null
  order by v.review, v.version desc
)
select id, rating, title, body, likes, dislikes, use_case, display_name, display_company, published_at, response,
       responded_at, count(*) over () as total
from shown
where $1::integer is null or rating = $1
order by case $2::text when 'helpful' then length when 'highest' then rating when 'lowest' then -rating end desc nulls last,
         published_at desc, id desc
limit $3 offset $4
