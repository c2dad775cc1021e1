-- name: sign_in_attempt
-- params: $1 SHA-256 of who tries what in hexadecimal, $2 seconds of a new window
-- returns: how often in the running window, this time included, and the seconds left of it
insert into attempt as a (subject, count, ends_at) values (decode($1, 'hex'), 1, now() + make_interval(secs => $2))
on conflict (subject) do update set
  count = case when a.ends_at > now() then a.count + 1 else 1 end,
  ends_at = case when a.ends_at > now() then a.ends_at else excluded.ends_at end
returning count, ceil(extract(epoch from ends_at - now()))::integer as left_s

-- name: sign_in_look
-- params: $1 SHA-256 of a token in hexadecimal, $2 that of a browser's cookie
-- returns: the open link of that browser, and whether its person never signed in; no row
select l.email, a.signed_in_at is null as first
from mailed_token t
join sign_in_link l on l.id = t.link
left join account a on a.email = l.email
where t.hash = decode($1, 'hex') and l.browser_hash = decode($2, 'hex')
  and l.used_at is null and l.expires_at > now()

-- name: sign_in_mail
-- params: $1 SHA-256 of a new token in hexadecimal, $2 link
-- returns: the link, which the token opens from now on, or no row when it is not open
insert into mailed_token (hash, link)
select decode($1, 'hex'), id from sign_in_link where id = $2 and used_at is null and expires_at > now()
returning link

-- name: sign_in_mark
-- params: $1 account, $2 name or null
-- returns: the account's name; the given one is taken at the first sign-in only
update account set
  name = case when signed_in_at is null then coalesce($2, name) else name end,
  signed_in_at = coalesce(signed_in_at, now())
where id = $1
returning name

-- name: sign_in_put
-- params: $1 new id, $2 SHA-256 of the browser's cookie in hexadecimal, $3 email, $4 path to go on to, $5 seconds it
--   is good for
-- returns: nothing
insert into sign_in_link (id, browser_hash, email, next, expires_at)
values ($1, decode($2, 'hex'), $3, $4, now() + make_interval(secs => $5))

-- name: sign_in_sweep
-- params: nothing
-- returns: how much was dropped of what ended: links, sessions, device codes (kept a day), counts of attempts
with links as (delete from sign_in_link where expires_at < now() returning 1),
sessions as (
  delete from session where last_seen_at < now() - interval '30 days' or created_at < now() - interval '90 days'
  returning 1),
codes as (delete from device_code where expires_at < now() - interval '1 day' returning 1),
attempts as (delete from attempt where ends_at < now() returning 1)
select (select count(*) from links) + (select count(*) from sessions) + (select count(*) from codes)
     + (select count(*) from attempts) as dropped

-- name: sign_in_use
-- params: $1 SHA-256 of a token in hexadecimal, $2 that of a browser's cookie
-- returns: the email and path of the open link, which is used from now on; no row
update sign_in_link l set used_at = now()
from mailed_token t
where t.hash = decode($1, 'hex') and l.id = t.link and l.browser_hash = decode($2, 'hex')
  and l.used_at is null and l.expires_at > now()
returning l.email, l.next
