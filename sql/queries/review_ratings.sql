-- params: nothing; returns: how many published reviews have each rating
select rating, count(*) as reviews
from (
  select distinct on (review) rating from review_version where published_at is not null order by review, version desc
) as shown
group by rating
