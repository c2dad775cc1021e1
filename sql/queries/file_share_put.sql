-- params: $1 new id, $2 file, $3 org, $4 team or null, $5 account or null, $6 access; returns: the share, and its access before (null: it is new); the file's row is to be held, so that it is of one visibility meanwhile
with before as (
  select id, access from file_share where file = $2 and (team = $4 or account = $5)
),
changed as (
  update file_share s set access = $6 from before b where s.id = b.id
),
added as (
  insert into file_share (id, file, org, visibility, file_created_at, team, account, access)
  select $1, f.id, f.org, f.visibility, f.created_at, $4, $5, $6
  from file f where f.id = $2 and f.org = $3 and not exists (select from before)
)
select coalesce(b.id, $1) as id, b.access as before from (select) one left join before b on true
