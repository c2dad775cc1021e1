-- params: $1 review, $2 limit, $3 offset; returns: a page of its versions, newest first
select version, rating, title, body, likes, dislikes, use_case, display_name, display_company, marketing_consent,
       created_at, published_at
from review_version
where review = $1
order by version desc
limit $2 offset $3
