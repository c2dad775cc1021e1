-- params: $1 org, $2 account, $3 file; returns: the file with what decides the account's access to it, or no row; whether they see it at all is to be asked of the caller's role
select f.id, f.name, f.boundary, f.version, f.format, f.detail, f.visibility, f.sha256, b.bytes, f.created_at, f.updated_at,
       f.creator, a.email as creator_email, a.name as creator_name,
       coalesce(f.creator = $2, false) as own,
       coalesce((select v.version = f.version from boundary v where v.id = f.boundary), false) as current,
       (
         select max(array_position(array['read', 'write', 'admin'], s.access))
         from file_share s
         where s.file = f.id and (
           s.account = $2 or s.team in (select t.team from team_member t where t.org = $1 and t.account = $2)
         )
       ) as share
from file f
join file_blob b on b.sha256 = f.sha256
left join account a on a.id = f.creator
where f.org = $1 and f.id = $3
