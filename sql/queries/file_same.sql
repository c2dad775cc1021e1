-- params: $1 org, $2 account, $3 boundary, $4 format, $5 detail, $6 visibility; returns: the entry that saving finds, the organization's or the account's own, before the other the one of that visibility; or no row
select id from (
  select id, visibility from file
  where org = $1 and boundary = $3 and format = $4 and detail = $5 and visibility = 'org'
  union all
  select id, visibility from file
  where org = $1 and creator = $2 and boundary = $3 and format = $4 and detail = $5 and visibility = 'restricted'
) f
order by visibility = $6 desc
limit 1
