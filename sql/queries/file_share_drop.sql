-- params: $1 file or null, $2 share or null, $3 org, $4 team or null, $5 account or null; returns: the shares dropped, of all that match what is not null, with the names of what they were of and for
with dropped as (
  delete from file_share
  where org = $3 and ($1::text is null or file = $1) and ($2::text is null or id = $2)
    and ($4::text is null or team = $4) and ($5::text is null or account = $5)
  returning id, file, team, account, access
)
select d.id, d.file, f.name as file_name, d.team, t.name as team_name, d.account, a.email, d.access
from dropped d
join file f on f.id = d.file
left join team t on t.id = d.team
left join account a on a.id = d.account
order by d.id
