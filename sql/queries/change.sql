-- name: change_feed
-- params: $1 a canonical id or null, $2 a country or null, $3 an admin_level or null, $4 the most transactions, $5 the
--   most boundaries of each that are named, $6 the most that are counted, $7 null, or a transaction: only earlier ones
-- returns: the newest transactions that changed such boundaries of today, the newest first, of those among ten times as
--   many; items: the first boundaries
-- not null: id, started_at, total, items
-- types: items readonly Readonly<Record<string, unknown>>[]
select d.id, d.started_at, d.source, d.valid_from::text as valid_from, v.total, v.items
from (
  select * from data_batch d
  where ($7::bigint is null or d.id < $7::bigint)
    and ($1::text is null or d.id in (
      select v.batch from data_event v where v.boundary_id = $1::text
      union
      select v.batch from boundary_parent p join data_event v on v.boundary_id = p.child where p.parent = $1::text
      union
      select v.batch from data_event v where v.before -> 'parents' ? $1::text))
  order by d.id desc
  limit 10 * $4::integer
) d
join lateral (
  select count(*)::integer as total,
         coalesce((jsonb_agg(jsonb_build_object('id', n.boundary_id, 'before', n.before, 'after', n.after) order by n.number)
                   filter (where n.number <= $5::integer)), '[]'::jsonb) as items
  from (
    select v.boundary_id, v.before, v.after, row_number() over (order by v.boundary_id) as number
    from data_event v
    left join boundary b on b.id = v.boundary_id
    where v.batch = d.id and (v.before - '{parents,country,km2}'::text[]) is distinct from (v.after - '{country,km2}'::text[])
      and ($1::text is null or v.boundary_id = $1::text or v.before -> 'parents' ? $1::text
           or exists (select from boundary_parent p where p.child = v.boundary_id and p.parent = $1::text))
      and ($2::text is null or coalesce(b.country, v.before ->> 'country') = $2::text)
      and ($3::integer is null or coalesce(b.admin_level, (v.before ->> 'admin_level')::integer) = $3::integer)
    limit $6::integer
  ) n
) v on v.total > 0 or (d.source is not null and $1::text is null and $2::text is null and $3::integer is null)
order by d.id desc
limit $4::integer

-- name: change_feed_last
-- params: $1 transactions that were looked at, $2 null, or a transaction: only earlier ones
-- returns: the oldest of the newest so many, if there are older ones; else no row
-- not null: id
select d.id
from (
  select d.id, row_number() over (order by d.id desc) as number
  from (select b.id from data_batch b where $2::bigint is null or b.id < $2::bigint order by b.id desc limit $1::integer + 1) d
) d
where d.number = $1::integer
  and exists (select from data_batch b where b.id < d.id)

-- name: change_since
-- params: $1 canonical ids, $2 canonical ids of boundaries, what is within which counts, too, $3 a country or null, $4
--   an
--   admin_level or null, $5 a moment, $6 the most to return
-- returns: what changed since then, by transactions that committed later: each boundary before the first and
--   after the last of them
-- not null: boundary_id
-- types: before Readonly<Record<string, unknown>> | null; after Readonly<Record<string, unknown>> | null
select c.boundary_id, c.before, c.after
from (
  select v.boundary_id, (array_agg(v.before order by v.batch))[1] as before, (array_agg(v.after order by v.batch desc))[1] as after
  from (
    select i.id from unnest($1::text[]) as i (id)
    union
    select b.id from boundary_parent p join boundary b on b.id = p.child
    where p.parent = any ($2::text[]) and ($4::integer is null or b.admin_level = $4::integer)
    union
    select v.boundary_id from data_event v where v.before -> 'parents' ?| $2::text[]
    union
    select b.id from boundary b where b.country = $3::text and ($4::integer is null or b.admin_level = $4::integer)
  ) i
  join data_event v on v.boundary_id = i.id
  join data_batch d on d.id = v.batch
  join data_record r on r.number = d.recorded_in
  where r.at > $5::timestamptz
  group by v.boundary_id
) c
where (c.before - '{parents,country,km2}'::text[]) is distinct from (c.after - '{country,km2}'::text[])
order by c.boundary_id
limit $6::integer
