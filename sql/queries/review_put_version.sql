-- params: $1 review, $2 rating, $3 title, $4 body, $5 likes, $6 dislikes, $7 use case, $8 display name, $9 display company or null, $10 consent to marketing, $11 length, $12 account, $13 whether its texts hold links; returns: its number, and whether it is published at once
insert into review_version (review, version, rating, title, body, likes, dislikes, use_case, display_name,
                            display_company, marketing_consent, length, published_at)
select $1::text, coalesce((select max(v.version) from review_version v where v.review = $1), 0) + 1,
       $2::smallint, $3, $4, $5, $6, $7, $8, $9, $10::boolean, $11::integer,
       case when not $13::boolean and a.created_at <= now() - interval '1 day' then now() end
from account a where a.id = $12
returning version, published_at is not null as published
