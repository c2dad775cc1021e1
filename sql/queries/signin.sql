-- name: signin_attempt
-- params: $1 SHA-256 of the actor and action in hexadecimal, $2 length of a new window in seconds
-- returns: the attempts in the current window including this one, and its remaining seconds
insert into attempt as a (subject, count, ends_at) values (decode($1, 'hex'), 1, now() + make_interval(secs => $2))
on conflict (subject) do update set
  count = case when a.ends_at > now() then a.count + 1 else 1 end,
  ends_at = case when a.ends_at > now() then a.ends_at else excluded.ends_at end
returning count, ceil(extract(epoch from ends_at - now()))::integer as left_s

-- name: signin_earlier
-- params: $1 SHA-256 of a token in hexadecimal
-- returns: the email and path of the link of an earlier mail, open or not; or no row
select l.email, l.next
from mailed_token t join sign_in_link l on l.id = t.link
where t.hash = decode($1, 'hex')

-- name: signin_look
-- params: $1 SHA-256 of a token in hexadecimal, $2 that of a browser's cookie
-- returns: the open link of that browser, and whether this is the first sign-in of its email; or no row
-- not null: email, first
select l.email, a.signed_in_at is null as first
from mailed_token t
join sign_in_link l on l.id = t.link
left join account a on a.email = l.email
where t.hash = decode($1, 'hex') and l.browser_hash = decode($2, 'hex')
  and l.used_at is null and l.expires_at > now()

-- name: signin_mail
-- params: $1 SHA-256 of a new token in hexadecimal, $2 link
-- returns: the link that the token opens from now on, or no row when it is not open
insert into mailed_token (hash, link)
select decode($1, 'hex'), id from sign_in_link where id = $2 and used_at is null and expires_at > now()
returning link

-- name: signin_mark
-- params: $1 account, $2 name or null
-- returns: the account's name; the given name is used only at the first sign-in
update account set
  name = case when signed_in_at is null then coalesce($2, name) else name end,
  signed_in_at = coalesce(signed_in_at, now())
where id = $1
returning name

-- name: signin_put
-- params: $1 new id, $2 SHA-256 of the browser's cookie in hexadecimal, $3 email, $4 path to continue to, $5 seconds it
--   is valid
-- returns: nothing
insert into sign_in_link (id, browser_hash, email, next, expires_at)
values ($1, decode($2, 'hex'), $3, $4, now() + make_interval(secs => $5))

-- name: signin_sweep
-- params: nothing
-- returns: how many expired rows were deleted: links and device codes (kept a day longer), sessions, counts of attempts
-- not null: dropped
with links as (delete from sign_in_link where expires_at < now() - interval '1 day' returning 1),
sessions as (
  delete from session where last_seen_at < now() - interval '30 days' or created_at < now() - interval '90 days'
  returning 1),
codes as (delete from device_code where expires_at < now() - interval '1 day' returning 1),
attempts as (delete from attempt where ends_at < now() returning 1)
select (select count(*) from links) + (select count(*) from sessions) + (select count(*) from codes)
     + (select count(*) from attempts) as dropped

-- name: signin_use
-- params: $1 SHA-256 of a token in hexadecimal, $2 that of a browser's cookie
-- returns: the email and path of the open link, now used; or no row
update sign_in_link l set used_at = now()
from mailed_token t
where t.hash = decode($1, 'hex') and l.id = t.link and l.browser_hash = decode($2, 'hex')
  and l.used_at is null and l.expires_at > now()
returning l.email, l.next
