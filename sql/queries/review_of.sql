-- params: $1 account; returns: its review, how many versions that has and which of them is published (null: none), or no row
select r.id, count(*)::integer as versions, max(v.version) filter (where v.published_at is not null) as published_version
from review r join review_version v on v.review = r.id
where r.account = $1
group by r.id
