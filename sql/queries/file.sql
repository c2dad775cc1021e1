-- name: file_blob_claim
-- params: $1 sha256, $2 format, $3 bytes
-- returns: the generation to put the bytes under; no row while another process removes the blob
insert into file_blob (sha256, format, bytes) values ($1, $2, $3)
on conflict (sha256) do update set claimed_at = now() where file_blob.leaving_at is null
returning generation

-- name: file_blob_drop
-- params: $1 sha256, $2 generation whose bytes are deleted
-- returns: nothing
delete from file_blob where sha256 = $1 and generation = $2 and leaving_at is not null

-- name: file_blob_hold
-- params: $1 sha256, $2 generation
-- returns: a row, locked, so that these bytes stay until the end of the transaction; no row when they were removed or
--   are being removed
select from file_blob where sha256 = $1 and generation = $2 and leaving_at is null for update

-- name: file_blob_leave
-- params: $1 sha256, $2 seconds after which a process that began to remove it counts as dead
-- returns: the generation that the caller must remove; no row when an entry uses it or another process removes it
update file_blob b set leaving_at = now()
where b.sha256 = $1
  and (b.leaving_at is null or b.leaving_at < now() - make_interval(secs => $2))
  and not exists (select from file f where f.sha256 = b.sha256)
returning b.generation

-- name: file_blob_leave_later
-- params: $1 sha256, $2 generation whose bytes could not be removed, $3 seconds after which a process that began to
--   remove it counts as dead, $4 seconds after which another may try
-- returns: nothing
update file_blob set leaving_at = now() - make_interval(secs => $3::float8 - $4::float8)
where sha256 = $1 and generation = $2 and leaving_at is not null

-- name: file_blob_lock
-- params: $1 sha256, $2 format, $3 bytes
-- returns: nothing; creates the row if there is none and locks it until the end of the transaction
insert into file_blob (sha256, format, bytes) values ($1, $2, $3)
on conflict (sha256) do update set format = file_blob.format

-- name: file_blob_named
-- params: $1 values of sha256
-- returns: those that entries use
select distinct f.sha256 from file f where f.sha256 = any ($1::text[])

-- name: file_blob_page
-- params: $1 the last sha256 of the page before, or '', $2 limit
-- returns: blobs that entries use, by sha256
select b.sha256, b.format, b.bytes from file_blob b
where b.sha256 > $1 and exists (select from file f where f.sha256 = b.sha256)
order by b.sha256
limit $2

-- name: file_blob_unnamed
-- params: $1 limit, $2 seconds since the last claim to put it
-- returns: blobs that no entry uses (any more)
select b.sha256, b.format, b.bytes from file_blob b
where b.claimed_at < now() - make_interval(secs => $2)
  and not exists (select from file f where f.sha256 = b.sha256)
limit $1

-- name: file_drop
-- params: $1 file
-- returns: nothing; also deletes its shares
delete from file where id = $1

-- name: file_hold
-- params: $1 org, $2 file
-- returns: its id, the row locked until the end of the transaction, or no row
select id from file where org = $1 and id = $2 for no key update

-- name: file_made_of
-- params: $1 files
-- returns: of each its boundary, or the input that it was made from
-- types: input Readonly<Record<string, unknown>> | null
select id, boundary, input from file where id = any ($1::text[])

-- name: file_follow
-- params: $1 file, $2 the most files of its organization that may; the transaction has file_follow_lock
-- returns: a row if the file is now made again when its boundaries change; none: the organization has too many of them
insert into file_follow (file, org, checked_at)
select f.id, f.org, coalesce(f.data_at, f.updated_at) from file f
where f.id = $1 and (select count(*) from file_follow w where w.org = f.org and w.file <> f.id) < $2::integer
on conflict (file) do update set due_at = now(), attempts = 0, error = null, claim = file_follow.claim + 1
returning file

-- name: file_follow_checked
-- params: $1 file, $2 number of the claim, $3 a moment of the data
-- returns: a row if the claim held, which ends; changes up to the moment are then looked at
update file_follow
set checked_at = greatest(checked_at, $3::timestamptz), due_at = now(), attempts = 0, error = null, claim = claim + 1
where file = $1 and claim = $2::bigint
returning file

-- name: file_follow_claim
-- params: $1 seconds
-- returns: a file that may have to be made again, claimed for so long; claim: the number of the claim; or no row
-- not null: id, org, name, format, visibility, made_by, sha256, checked_at, attempts, claim
-- types: input Readonly<Record<string, unknown>> | null
update file_follow w
set due_at = clock_timestamp() + make_interval(secs => $1::float8), claim = w.claim + 1
from (
  select o.file from file_follow o
  where o.checked_at < (select max(at) from data_record) and o.due_at <= clock_timestamp()
  order by o.checked_at, o.due_at
  limit 1
  for update skip locked
) d
join file f on f.id = d.file
where w.file = d.file
returning f.id, f.org, f.creator, f.name, f.boundary, f.format, f.detail, f.visibility, f.made_by, f.input, f.sha256,
          w.checked_at, w.attempts, w.claim

-- name: file_follow_extend
-- params: $1 file, $2 number of the claim, $3 seconds
-- returns: a row if the claim holds, for so long from now on
update file_follow set due_at = clock_timestamp() + make_interval(secs => $3::float8)
where file = $1 and claim = $2::bigint
returning file

-- name: file_follow_failed
-- params: $1 file, $2 number of the claim, which ends, $3 seconds until it is tried again, $4 why, as JSON; null: it
--   only
--   has to wait
-- returns: nothing
update file_follow
set due_at = now() + make_interval(secs => $3::float8), attempts = attempts + ($4::text is not null)::integer,
    error = coalesce($4::text, error), claim = claim + 1
where file = $1 and claim = $2::bigint

-- name: file_follow_lock
-- params: $1 file
-- returns: a row; the files that follow of its organization are then counted by one transaction at a time
select pg_advisory_xact_lock(hashtext('file_follow'), hashtext(f.org)) from file f where f.id = $1

-- name: file_follow_stop
-- params: $1 file
-- returns: a row if it was made again when its boundaries changed, which it is no longer
delete from file_follow where file = $1 returning file

-- name: file_find
-- params: $1 org, $2 account, $3 whether they see all files (admins), $4 limit, $5 offset, $6 text in the name or null,
--   $7 order: newest, oldest, name or largest, $8 tag or null
-- returns: a page of the files they see whose name has the text, in upper or lower case, with the columns of file_seen
--   and the total; past the last page, one row with only the total
with seen as (
  select f.id, f.name, f.created_at, b.bytes
  from file f
  join file_blob b on b.sha256 = f.sha256
  where f.org = $1 and may_read_file(f, $2, $3::boolean)
    and ($6::text is null or strpos(lower(f.name), lower($6::text)) > 0)
    and ($8::text is null or $8 = any (f.tags))
    and ($3::boolean or f.visibility = 'org' or f.creator = $2
         or exists (select from file_share s
                    where s.file = f.id
                      and (s.account = $2 or s.team in (select t.team from team_member t where t.org = $1 and t.account = $2))))
),
page as (
  select id, row_number() over (order by
      case when $7::text = 'name' then lower(name) end,
      case when $7::text = 'largest' then bytes end desc,
      case when $7::text = 'oldest' then created_at end,
      created_at desc, id desc) as position
  from seen
  order by position
  limit $4::bigint offset $5::bigint
)
select c.total, f.id, f.name, f.made_by, f.boundary, f.version, f.format, f.detail, f.visibility, f.tags, f.sha256, b.bytes, f.created_at,
       f.updated_at, f.expires_at, f.creator, a.email as creator_email, a.name as creator_name,
       coalesce(f.creator = $2, false) as own,
       coalesce((select v.version = f.version from boundary v where v.id = f.boundary), false) as current,
       coalesce(f.data_at, f.updated_at) as data_at, w.file is not null as follow, w.error as follow_error,
       (
         select max(array_position(array['read', 'write', 'admin'], s.access))
         from file_share s
         where s.file = f.id and (
           s.account = $2 or s.team in (select t.team from team_member t where t.org = $1 and t.account = $2)
         )
       ) as share
from (select count(*) as total from seen) c
left join (
  page p
  join file f on f.id = p.id
  join file_blob b on b.sha256 = f.sha256
  left join file_follow w on w.file = f.id
  left join account a on a.id = f.creator
) on true
order by p.position

-- name: file_link_drop
-- params: $1 file, $2 link, or null for all of the file
-- returns: the links that were deleted
delete from file_link where file = $1 and ($2::text is null or id = $2) returning id

-- name: file_link_put
-- params: $1 new id, $2 file, $3 its maker, $4 sha256 of its secret, $5 days until it expires, $6 the most that a file
--   has; the caller holds the file's row
-- returns: the link, or no row when the file has too many
insert into file_link (id, file, creator, sha256, expires_at)
select $1, $2, $3, $4, now() + make_interval(days => $5::integer)
where (select count(*) from file_link where file = $2 and expires_at > now()) < $6::integer
returning id, expires_at

-- name: file_link_read
-- params: $1 file, $2 sha256 of a secret
-- returns: who made the link, with their role now; no row for another secret, or if they may not read the sets in it
-- types: role 'owner' | 'admin' | 'member' | 'viewer'
select f.org, l.creator as account, m.role
from file_link l
join file f on f.id = l.file
join membership m on m.org = f.org and m.account = l.creator
where l.file = $1 and l.sha256 = $2 and l.expires_at > now() and (f.expires_at is null or f.expires_at > now())
  and may_read_sets(f.sets, f.org, l.creator, m.role in ('owner', 'admin'))

-- name: file_link_sweep
-- params: $1 how many at most
-- returns: nothing; deletes links that have expired
delete from file_link where id in (select id from file_link where expires_at < now() order by expires_at limit $1)

-- name: file_links
-- params: $1 file
-- returns: its links that have not expired, oldest first
select id, created_at, expires_at from file_link where file = $1 and expires_at > now() order by created_at, id

-- name: file_list
-- params: $1 org, $2 account, $3 whether they see all files (admins), $4 limit, $5 offset, $6 a revision of the
--   library, $7 the number of restricted files they saw in that revision (both null: not known)
-- returns: a page of the files they see, newest first, with the columns of file_seen, the total, the number of
--   restricted files in it and its revision, and whether files with area sets that they may not read are among all of
--   these (then file_find counts); past the last page, one row with only these
with theirs as (
  -- Restricted files that are theirs, or shared with them or one of their teams. The newest of each source come from an
  -- index: every file on the page is among the newest of at least one source.
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
select c.everyone + c.restricted as total, c.restricted, c.revision,
       exists (select from file h where h.org = $1 and h.sets is not null and not may_read_file(h, $2, $3::boolean)) as unread,
       f.id, f.name, f.made_by, f.boundary, f.version, f.format, f.detail, f.visibility, f.tags, f.sha256, b.bytes, f.created_at,
       f.updated_at, f.expires_at, f.creator, a.email as creator_email, a.name as creator_name,
       coalesce(f.creator = $2, false) as own,
       coalesce((select v.version = f.version from boundary v where v.id = f.boundary), false) as current,
       coalesce(f.data_at, f.updated_at) as data_at, w.file is not null as follow, w.error as follow_error,
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
  left join file_follow w on w.file = f.id
  left join account a on a.id = f.creator
) on true
order by f.created_at desc, f.id desc

-- name: file_of_blob
-- params: $1 sha256
-- returns: the entries that use it
select id, org, name, boundary, version, format, detail from file where sha256 = $1 order by id

-- name: file_put
-- params: $1 id, $2 org, $3 creator, $4 name, $5 boundary or null, $6 its version or null, $7 format, $8 detail or
--   null, $9 visibility, $10 sha256, $11 operation that made it, $12 recipe or null, $13 its input as JSON or null, $14
--   days until it is deleted or null, $15 the moment of the data it was made from, or null, $16 the area sets whose
--   areas are in it, or null
-- returns: the id, or no row when the entry already exists
insert into file (id, org, creator, name, boundary, version, format, detail, visibility, sha256, made_by, recipe, input, expires_at, data_at, sets)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::jsonb, now() + make_interval(days => $14::integer), $15, $16::text[])
on conflict do nothing
returning id

-- name: file_same
-- params: $1 org, $2 account, $3 boundary, $4 format, $5 detail, $6 visibility
-- returns: the existing entry that a save reuses: one of the organization or the account's own, preferring visibility
--   $6; or no row
select id from (
  select id, visibility from file
  where org = $1 and boundary = $3 and format = $4 and detail = $5 and visibility = 'org'
  union all
  select id, visibility from file
  where org = $1 and creator = $2 and boundary = $3 and format = $4 and detail = $5 and visibility = 'restricted'
) f
order by visibility = $6 desc
limit 1

-- name: file_same_recipe
-- params: $1 org, $2 account, $3 recipe, $4 visibility
-- returns: the existing entry that a save reuses, as in file_same; or no row
select id from (
  select id, visibility from file where org = $1 and recipe = $3 and visibility = 'org'
  union all
  select id, visibility from file where org = $1 and creator = $2 and recipe = $3 and visibility = 'restricted'
) f
order by visibility = $4 desc
limit 1

-- name: file_seen
-- params: $1 org, $2 account, $3 file, $4 whether they see all files (admins), $5 whether to find one with sets that
--   they may not read, if it is theirs or they see all
-- returns: the file with what decides the account's access to it; no row where they may not read the sets in it; the
--   caller checks by role whether they may see it at all
-- not null: id, name, made_by, format, visibility, tags, sha256, bytes, created_at, updated_at, creator_email, own,
--   current, data_at, follow
-- types: share 1 | 2 | 3
select f.id, f.name, f.made_by, f.boundary, f.version, f.format, f.detail, f.visibility, f.tags, f.sha256, b.bytes, f.created_at, f.updated_at,
       f.expires_at, f.creator, a.email as creator_email, a.name as creator_name,
       coalesce(f.creator = $2, false) as own,
       coalesce((select v.version = f.version from boundary v where v.id = f.boundary), false) as current,
       coalesce(f.data_at, f.updated_at) as data_at, w.file is not null as follow, w.error as follow_error,
       (
         select max(array_position(array['read', 'write', 'admin'], s.access))
         from file_share s
         where s.file = f.id and (
           s.account = $2 or s.team in (select t.team from team_member t where t.org = $1 and t.account = $2)
         )
       ) as share
from file f
join file_blob b on b.sha256 = f.sha256
left join file_follow w on w.file = f.id
left join account a on a.id = f.creator
where f.org = $1 and f.id = $3
  and (may_read_file(f, $2, $4::boolean) or $5::boolean and ($4::boolean or f.creator = $2))

-- name: file_share_drop
-- params: $1 file or null, $2 share or null, $3 org, $4 team or null, $5 account or null
-- returns: the deleted shares, those that match every parameter that is not null, with the names of file and recipient
-- not null: id, file, file_name, team_name, email, access
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

-- name: file_share_put
-- params: $1 new id, $2 file, $3 org, $4 team or null, $5 account or null, $6 access
-- returns: the share, and its previous access (null: it is new); the caller holds the file's row, so that its
--   visibility does not change meanwhile
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

-- name: file_shares
-- params: $1 file
-- returns: its shares, oldest first
-- not null: grant_id, access, created_at, team_slug, team_name, email
select s.id as grant_id, s.access, s.created_at,
       t.id as team, t.slug as team_slug, t.name as team_name,
       a.id as account, a.email, a.name
from file_share s
left join team t on t.id = s.team
left join account a on a.id = s.account
where s.file = $1
order by s.created_at, s.id

-- name: file_sweep
-- params: $1 how many at most
-- returns: the entries that were deleted because they expired; their shares are deleted too
delete from file where id in (select id from file where expires_at < now() order by expires_at limit $1)
returning id

-- name: file_tags
-- params: $1 org, $2 account, $3 whether they see all files (admins), $4 how many at most
-- returns: the tags of the files that they see, those of most files first, with the number of files that have each and
--   of all tags
-- not null: tag, files, total
select t.tag, count(*)::integer as files, (count(*) over ())::integer as total
from file f, unnest(f.tags) as t (tag)
where f.org = $1 and may_read_file(f, $2, $3::boolean)
  and ($3::boolean or f.visibility = 'org' or f.creator = $2
       or exists (select from file_share s
                  where s.file = f.id
                    and (s.account = $2 or s.team in (select m.team from team_member m where m.org = $1 and m.account = $2))))
group by t.tag
order by files desc, t.tag
limit $4::bigint

-- name: file_trim
-- params: $1 org, $2 creator, $3 days that such files are kept, $4 how many are kept, $5 how many bytes
-- returns: the bytes of those that were deleted: of files that calls left for so many days, and no job or save made,
--   the oldest beyond either limit; the newest always stays
with kept as (
  select f.id, row_number() over newest as place, sum(b.bytes) over newest as bytes
  from file f
  join file_blob b on b.sha256 = f.sha256
  where f.org = $1 and f.creator = $2 and f.boundary is null and f.recipe is null
    and f.expires_at > now() and f.expires_at <= f.created_at + make_interval(days => $3::integer)
    and not exists (select from job j where j.file = f.id)
  window newest as (order by f.created_at desc, f.id desc)
), trimmed as (
  delete from file where id in (select id from kept where place > $4::integer or place > 1 and bytes > $5::float8)
  returning sha256
)
select distinct b.sha256, b.format, b.bytes from trimmed t join file_blob b on b.sha256 = t.sha256

-- name: file_update
-- params: $1 file, $2 name or null, $3 visibility or null, $4 boundary or null, $5 version or null, $6 sha256 or null,
--   $7
--   the moment of the data that its bytes were made from, or null, $8 tags or null
-- returns: nothing
update file
set name = coalesce($2, name), visibility = coalesce($3, visibility), boundary = coalesce($4, boundary),
    version = coalesce($5, version), sha256 = coalesce($6, sha256), tags = coalesce($8::text[], tags), updated_at = now(),
    data_at = case when $6::text is null then coalesce(data_at, updated_at) else $7::timestamptz end
where id = $1
