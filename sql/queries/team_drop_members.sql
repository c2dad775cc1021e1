-- params: $1 org, $2 team or null for any, $3 account or null for anyone; returns: who was taken out of which team
with dropped as (
  delete from team_member
  where org = $1 and ($2::text is null or team = $2) and ($3::text is null or account = $3)
    and ($2::text is not null or $3::text is not null)
  returning team, account
)
select d.team, t.name as team_name, d.account, a.email
from dropped d
join team t on t.id = d.team
join account a on a.id = d.account
order by t.name, d.team, d.account
