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

-- name: change_counts
-- params: $1 the most changes to count
-- returns: how many boundaries each of the last transactions changed, the newest first
-- not null: batch, at, changes
select v.batch, v.at, count(*)::integer as changes
from (
  select d.id as batch, r.at
  from data_record r
  join data_batch d on d.recorded_in = r.number
  join data_event v on v.batch = d.id
  where r.at is not null
  order by r.at desc
  limit $1::integer
) v
group by v.batch, v.at
order by v.at desc

-- name: change_reads
-- params: $1 canonical ids, $2 a country or null, $3 an admin_level or null, $4 the most to count
-- returns: how many boundaries are read to find those within these ids and of that country and level, and those that
--   ended
-- not null: reads
select count(*)::integer as reads
from (
  select 1 from boundary_parent p where p.parent = any ($1::text[])
  union all
  select 1 from data_event v where v.before -> 'parents' ?| $1::text[]
  union all
  select 1 from boundary b where b.country = $2::text and ($3::integer is null or b.admin_level = $3::integer)
  union all
  select 1 from data_event v where v.after is null and v.before ->> 'country' = $2::text
  limit $4::integer
) n

-- name: change_since
-- params: $1 what is watched, as JSON: {key, boundaries, parents, country, admin_level, since, batches}; batches: the
--   transactions since, by whose changes boundaries within others and of a country are found; null: all of these are
--   read; $2 the most changes to count of each, $3 the most to return
-- returns: what changed of each, if anything did, by transactions that committed after `since`: how many boundaries,
--   and
--   the first of them before the first and after the last of these
-- not null: key, total, items
-- types: items readonly Readonly<Record<string, unknown>>[]
select w.key, e.total, e.items
from jsonb_to_recordset($1::jsonb) as w (key text, boundaries text[], parents text[], country text, admin_level integer,
                                         since timestamptz, batches bigint[])
join lateral (
  select count(*)::integer as total,
         jsonb_agg(jsonb_build_object('id', n.boundary_id, 'before', n.before, 'after', n.after) order by n.boundary_id)
           filter (where n.number <= $3::integer) as items
  from (
    select c.*, row_number() over (order by c.boundary_id) as number
    from (
      select i.id as boundary_id, f.before, l.after
      from (
        select i.id from unnest(w.boundaries) as i (id)
        union
        select v.boundary_id
        from unnest(w.batches) as d (id)
        -- Not flattened: the planner does not know how few these are.
        cross join lateral (select v.* from data_event v where v.batch = d.id offset 0) v
        left join boundary b on b.id = v.boundary_id
        where v.before -> 'parents' ?| w.parents
           or v.after is null and v.before ->> 'country' = w.country
              and (w.admin_level is null or (v.before ->> 'admin_level')::integer = w.admin_level)
           or (b.country = w.country or exists (select from boundary_parent p where p.child = b.id and p.parent = any (w.parents)))
              and (w.admin_level is null or b.admin_level = w.admin_level)
        union
        select b.id from boundary_parent p join boundary b on b.id = p.child
        where w.batches is null and p.parent = any (w.parents) and (w.admin_level is null or b.admin_level = w.admin_level)
        union
        select v.boundary_id from data_event v where w.batches is null and v.before -> 'parents' ?| w.parents
        union
        select b.id from boundary b
        where w.batches is null and b.country = w.country and (w.admin_level is null or b.admin_level = w.admin_level)
        union
        select v.boundary_id from data_event v
        where w.batches is null and v.after is null and v.before ->> 'country' = w.country
          and (w.admin_level is null or (v.before ->> 'admin_level')::integer = w.admin_level)
      ) i
      cross join lateral (
        select v.before
        from data_event v
        join data_batch d on d.id = v.batch
        join data_record r on r.number = d.recorded_in
        where v.boundary_id = i.id and r.at > w.since
        order by v.batch
        limit 1
      ) f
      cross join lateral (
        select v.after
        from data_event v
        join data_batch d on d.id = v.batch
        join data_record r on r.number = d.recorded_in
        where v.boundary_id = i.id and r.at > w.since
        order by v.batch desc
        limit 1
      ) l
    ) c
    where (c.before - '{parents,country,km2}'::text[]) is distinct from (c.after - '{country,km2}'::text[])
    order by c.boundary_id
    limit $2::integer
  ) n
) e on e.total > 0
