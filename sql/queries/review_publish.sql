-- params: $1 review, $2 the version that was read, or null; returns: the number of its newest version, which is published now if it was not and is the one that was read
with newest as (
  select review, version from review_version where review = $1 order by version desc limit 1 for update
),
published as (
  update review_version v set published_at = now()
  from newest n where v.review = n.review and v.version = n.version and v.published_at is null and n.version = coalesce($2, n.version)
)
select version from newest
