-- name: subscription_announced
-- params: $1 a batch
-- returns: nothing
update data_batch set announced_at = now() where id = $1

-- name: subscription_batch
-- params: $1 a batch, 0 for none
-- returns: the oldest transaction after it of which no messages were written; no row: there is none
select id, started_at, source, valid_from::text as valid_from
from data_batch
where announced_at is null and id > $1
order by id
limit 1

-- name: subscription_count
-- params: $1 org
-- returns: how many it has, and how many of them by mail
-- not null: total, mailed
select count(*)::integer as total, (count(*) filter (where mail))::integer as mailed from change_subscription where org = $1

-- name: subscription_drop
-- params: $1 org, $2 account, $3 whether they see those of all members, $4 a subscription
-- returns: what was asked for with it; no row when there is none that they see
delete from change_subscription where org = $1 and ($3::boolean or account = $2) and id = $4 returning about

-- name: subscription_edition_ids
-- params: $1 a source, $2 a date
-- returns: the boundaries of which a state began or ended to be in force on that date by editions of the source
-- not null: id
select distinct i.boundary_id as id
from edition_interval i
where i.source = $1 and i.recorded_to is null and (i.valid_from = $2::date or i.valid_to = $2::date)

-- name: subscription_events
-- params: $1 a batch, $2 boundary ids
-- returns: what the transaction changed of them
-- not null: boundary_id
-- types: before Readonly<Record<string, unknown>> | null; after Readonly<Record<string, unknown>> | null
select boundary_id, before, after from data_event where batch = $1 and boundary_id = any ($2::text[]) order by boundary_id

-- name: subscription_hold_batch
-- params: $1 a batch
-- returns: a row, locked, if no messages about it were written yet and no other process writes them
select id from data_batch where id = $1 and announced_at is null for update skip locked

-- name: subscription_list
-- params: $1 org, $2 account, $3 whether they see those of all members (admins), $4 limit, $5 offset
-- returns: subscriptions, newest first, and how many there are in all
-- not null: of_all
select s.id, s.about, s.webhook, s.mail, s.created_at, s.sent_at, s.account, a.email, a.name as account_name,
       count(*) over ()::integer as of_all
from change_subscription s
join account a on a.id = s.account
where s.org = $1 and ($3::boolean or s.account = $2)
order by s.created_at desc, s.id desc
limit $4 offset $5

-- name: subscription_matches
-- params: $1 a batch, $2 ids of an edition's changes, $3 the most ids to return for each
-- returns: each subscription that a change is in, with its organization, the ids and how many there are; only those
--   whose creator is still a member
-- not null: id, org, about, mailed, ids, total
with changed as materialized (
  select c.id, c.parents, dense_rank() over (order by c.id)::integer as number,
         coalesce(b.country, c.country, (select e.country from edition_boundary e where e.id = c.id limit 1)) as country,
         coalesce(b.admin_level, c.admin_level, (select e.admin_level from edition_boundary e where e.id = c.id limit 1)) as admin_level
  from (
    select v.boundary_id as id, array(select jsonb_array_elements_text(v.before -> 'parents')) as parents,
           coalesce(v.before, v.after) ->> 'country' as country, (coalesce(v.after, v.before) ->> 'admin_level')::smallint as admin_level
    from data_event v
    where v.batch = $1 and (v.before - '{parents,country,km2}'::text[]) is distinct from (v.after - '{country,km2}'::text[])
    union all
    select i.id, array[]::text[], null, null from unnest($2::text[]) as i (id)
  ) c
  left join boundary b on b.id = c.id
), above as materialized (
  select c.number, c.admin_level, p.parent from changed c join boundary_parent p on p.child = c.id
  union
  select c.number, c.admin_level, p.parent from changed c join edition_parent p on p.child = c.id
  union
  select c.number, c.admin_level, p.parent from changed c cross join unnest(c.parents) as p (parent)
), concerned as materialized (
  -- Found by their indexes; then only numbers are compared and sorted, which may be a million pairs.
  select s.*, row_number() over (order by s.id)::integer as number
  from change_subscription s
  where s.boundaries && array(select id from changed)
     or s.parents && array(select distinct parent from above)
     or s.country = any (array(select distinct country from changed where country is not null))
), found as (
  select s.number as subscription, c.number
  from concerned s cross join unnest(s.boundaries) as w (id) join changed c on c.id = w.id
  where s.admin_level is null or s.admin_level = c.admin_level
  union
  select s.number, a.number
  from concerned s cross join unnest(s.parents) as w (id) join above a on a.parent = w.id
  where s.admin_level is null or s.admin_level = a.admin_level
  union
  select s.number, c.number
  from concerned s join changed c on c.country = s.country
  where s.admin_level is null or s.admin_level = c.admin_level
)
select s.id, s.org, s.about, s.webhook, case when s.mail then a.email end as mail, s.language, s.mailed_on = current_date as mailed_today, s.mailed,
       array(select distinct c.id from changed c where c.number = any (f.numbers) order by c.id) as ids, f.total
from (
  select subscription, (array_agg(number order by number))[1:$3::integer] as numbers, count(*)::integer as total
  from found
  group by subscription
) f
join concerned s on s.number = f.subscription
join membership m on m.org = s.org and m.account = s.account
join account a on a.id = s.account
order by s.id

-- name: subscription_put
-- params: id, org, account, about, boundaries, parents, country, admin_level, file, webhook, mail, language
-- returns: nothing
insert into change_subscription (id, org, account, about, boundaries, parents, country, admin_level, file, webhook, mail, language)
values ($1, $2, $3, $4, $5::text[], $6::text[], $7, $8::integer::smallint, $9, $10, $11, $12)

-- name: subscription_sent
-- params: $1 a subscription, $2 whether a mail was written
-- returns: nothing
update change_subscription
set sent_at = now(),
    mailed = case when not $2::boolean then mailed when mailed_on = current_date then mailed + 1 else 1 end,
    mailed_on = case when $2::boolean then current_date else mailed_on end
where id = $1

-- name: subscription_skip
-- params: nothing
-- returns: nothing. Without any subscription, there is no one to write to
update data_batch set announced_at = now()
where announced_at is null and not exists (select from change_subscription)

-- name: subscription_sweep
-- params: $1 days that events are kept
-- returns: nothing
delete from data_batch where started_at < now() - make_interval(days => $1) and announced_at is not null
