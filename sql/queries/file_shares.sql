-- params: $1 file; returns: its shares, oldest first
select s.id as grant_id, s.access, s.created_at,
       t.id as team, t.slug as team_slug, t.name as team_name,
       a.id as account, a.email, a.name
from file_share s
left join team t on t.id = s.team
left join account a on a.id = s.account
where s.file = $1
order by s.created_at, s.id
