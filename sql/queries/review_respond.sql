-- params: $1 review, $2 response or null; returns: the review when it is there
update review set response = $2, responded_at = case when $2::text is not null then now() end where id = $1 returning id
