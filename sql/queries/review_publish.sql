-- takes: $1 review; gives: the review when it is there, its newest version being published now if it was not
with newest as (
  select review, version from review_version where review = $1 order by version desc limit 1 for update
),
published as (
  update review_version v set published_at = now()
  from newest n where v.review = n.review and v.version = n.version and v.published_at is null
)
select review as id from newest
