-- name: review_of
-- params: $1 account
-- returns: its review, the number of versions and the published version (null: none), or no row
-- not null: versions
select r.id, count(*)::integer as versions, max(v.version) filter (where v.published_at is not null) as published_version
from review r join review_version v on v.review = r.id
where r.account = $1
group by r.id

-- name: review_one
-- params: $1 review
-- returns: its newest version with the response
select v.review as id, v.version, v.rating, v.title, v.body, v.likes, v.dislikes, v.use_case, v.display_name,
       v.display_company, v.marketing_consent, v.created_at, v.published_at, r.response, r.responded_at
from review_version v join review r on r.id = v.review
where v.review = $1
order by v.version desc
limit 1

-- name: review_pending
-- params: $1 limit, $2 offset
-- returns: reviews whose newest version is not published, oldest first, each with the total
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

-- name: review_publish
-- params: $1 review, $2 the version that the operator read, or null
-- returns: the newest version, published now if it is the one that was read
with newest as (
  select review, version from review_version where review = $1 order by version desc limit 1 for update
),
published as (
  update review_version v set published_at = now()
  from newest n where v.review = n.review and v.version = n.version and v.published_at is null and n.version = coalesce($2, n.version)
)
select version from newest

-- name: review_put
-- params: $1 id for a new review, $2 account
-- returns: the account's review, locked until the end of the transaction
insert into review as r (id, account) values ($1, $2)
on conflict (account) do update set account = excluded.account
returning r.id

-- name: review_put_version
-- params: $1 review, $2 rating, $3 title, $4 body, $5 likes, $6 dislikes, $7 use case, $8 display name, $9 display
--   company or null, $10 consent to marketing, $11 length, $12 account, $13 whether its texts contain links
-- returns: its number, and whether it is published at once
insert into review_version (review, version, rating, title, body, likes, dislikes, use_case, display_name,
                            display_company, marketing_consent, length, published_at)
select $1::text, coalesce((select max(v.version) from review_version v where v.review = $1), 0) + 1,
       $2::smallint, $3, $4, $5, $6, $7, $8, $9, $10::boolean, $11::integer,
       case when not $13::boolean and a.created_at <= now() - interval '1 day' then now() end
from account a where a.id = $12
returning version, published_at is not null as published

-- name: review_ratings
-- params: nothing
-- returns: the number of published reviews by rating
-- not null: reviews
select rating, count(*) as reviews
from (
  select distinct on (review) rating from review_version where published_at is not null order by review, version desc
) as shown
group by rating

-- name: review_respond
-- params: $1 review, $2 response or null
-- returns: the review if it exists
update review set response = $2, responded_at = case when $2::text is not null then now() end where id = $1 returning id

-- name: review_shown
-- params: $1 rating or null, $2 new, helpful, highest or lowest, $3 limit, $4 offset
-- returns: a page of the newest published version of each review, each with the total of all that match
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

-- name: review_versions
-- params: $1 review, $2 limit, $3 offset
-- returns: a page of its versions, newest first
select version, rating, title, body, likes, dislikes, use_case, display_name, display_company, marketing_consent,
       created_at, published_at
from review_version
where review = $1
order by version desc
limit $2 offset $3
