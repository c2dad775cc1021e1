-- params: $1 review; returns: its newest version with the response
select v.review as id, v.version, v.rating, v.title, v.body, v.likes, v.dislikes, v.use_case, v.display_name,
       v.display_company, v.marketing_consent, v.created_at, v.published_at, r.response, r.responded_at
from review_version v join review r on r.id = v.review
where v.review = $1
order by v.version desc
limit 1
