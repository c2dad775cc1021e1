-- params: $1 org, $2 account, $3 whether they see all (admins), $4 limit, $5 offset, $6 a revision of the library, $7 how many restricted files they saw in it (both null: not known); returns: a page of the files they see, newest first, as in file_seen, each with the number of all they see, and of the restricted ones among them at which revision; past the end one row with these alone
with theirs as (
  -- Restricted files that are theirs, or shared with them or with a team of theirs. Of each, the newest are read off an
  -- index: what is on the page is among the first of every way that leads to it.
  (select created_at, id from file
   where not $3::boolean and org = $1 and creator = $2 and visibility = 'restricted'
   order by created_at desc, id desc limit $4::bigint + $5::bigint)
  union
  (select file_created_at, file from file_share
   where not $3::boolean and account = $2 and org = $1 and visibility = 'restricted'
   order by file_created_at desc, file desc limit $4::bigint + $5::bigint)
  union
  select s.file_created_at, s.file
  from team_member t,
  lateral (
    select file_created_at, file from file_share
    where team = t.team and org = $1 and visibility = 'restricted'
    order by file_created_at desc, file desc limit $4::bigint + $5::bigint
  ) s
  where not $3::boolean and t.account = $2 and t.org = $1
),
page as (
  select id from (
    (select created_at, id from file where $3::boolean and org = $1
     order by created_at desc, id desc limit $4::bigint + $5::bigint)
    union all
    (select created_at, id from file where not $3::boolean and org = $1 and visibility = 'org'
     order by created_at desc, id desc limit $4::bigint + $5::bigint)
    union all
    select created_at, id from theirs
  ) seen
  order by created_at desc, id desc limit $4::bigint offset $5::bigint
),
counted as (
  select coalesce(n.everyone, 0) as everyone, coalesce(n.revision, 0) as revision,
         case
           when $3::boolean then coalesce(n.restricted, 0)
           when coalesce(n.revision, 0) = $6::bigint then $7::bigint
           else (
             select count(*) from (
               select id from file where org = $1 and creator = $2 and visibility = 'restricted'
               union
               select file from file_share where account = $2 and org = $1 and visibility = 'restricted'
               union
               select s.file from team_member t join file_share s on s.team = t.team
               where t.account = $2 and t.org = $1 and s.org = $1 and s.visibility = 'restricted'
             ) m
           )
         end as restricted
  from (select) one left join file_count n on n.org = $1
)
select c.everyone + c.restricted as total, c.restricted, c.revision, f.id, f.name, f.boundary, f.version, f.format, f.detail, f.visibility, f.sha256, b.bytes, f.created_at,
       f.updated_at, f.creator, a.email as creator_email, a.name as creator_name,
       coalesce(f.creator = $2, false) as own,
       coalesce((select v.version = f.version from boundary v where v.id = f.boundary), false) as current,
       (
         select max(array_position(array['read', 'write', 'admin'], s.access))
         from file_share s
         where s.file = f.id and (
           s.account = $2 or s.team in (select t.team from team_member t where t.org = $1 and t.account = $2)
         )
       ) as share
from counted c
left join (
  page p
  join file f on f.id = p.id
  join file_blob b on b.sha256 = f.sha256
  left join account a on a.id = f.creator
) on true
order by f.created_at desc, f.id desc
