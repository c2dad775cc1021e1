-- name: prune_keep
-- params: nothing
-- returns: which editions pruning keeps; no row: all of them
select editions, since::text as since from history_keep

-- name: prune_set_keep
-- params: $1 how many editions of a layer or null, $2 a date or null; both null: all
-- returns: nothing
with cleared as (
  delete from history_keep where $1::integer is null and $2::date is null
)
insert into history_keep (editions, since)
select $1::integer, $2::date
where $1::integer is not null or $2::date is not null
on conflict (one) do update set editions = excluded.editions, since = excluded.since

-- name: prune_layers
-- params: $1 how many editions of a layer are kept or null, $2 the date from which answers are kept or null
-- returns: the layers of editions that are not kept: all but the last ones, or those that others followed by that date
-- not null: edition, source, valid_from, type, boundaries
with placed as (
  select l.edition, e.source, e.valid_from, l.type, l.admin_level, l.boundaries,
         row_number() over (partition by e.source, l.type, l.admin_level order by e.valid_from desc) as number,
         lead(e.valid_from) over (partition by e.source, l.type, l.admin_level order by e.valid_from) as next_from
  from edition_layer l
  join edition e on e.id = l.edition
)
select edition, source, valid_from::text as valid_from, type, admin_level::integer as admin_level, boundaries
from placed
where number > $1::integer or next_from <= $2::date
order by source, valid_from, type, admin_level nulls last

-- name: prune_members
-- params: arrays of the numbers of editions, types and admin_levels (null: none)
-- returns: nothing. Takes these layers out of their editions, and notes that they were pruned
with layer as materialized (
  select p.edition, p.type, p.level::smallint as level from unnest($1::bigint[], $2::text[], $3::integer[]) as p (edition, type, level)
), noted as (
  insert into history_pruned (source, valid_from, type, admin_level, pruned_in)
  select e.source, e.valid_from, p.type, p.level, data_recording() from layer p join edition e on e.id = p.edition
), emptied as (
  delete from edition_layer l using layer p
  where l.edition = p.edition and l.type = p.type and l.admin_level is not distinct from p.level
)
delete from edition_member m
using layer p, edition_boundary b
where m.edition = p.edition and b.state = m.state and b.type = p.type and b.admin_level is not distinct from p.level

-- name: prune_editions
-- params: nothing
-- returns: how many editions had no layer left and were deleted
-- not null: deleted
with removed as (
  delete from edition e where not exists (select from edition_layer l where l.edition = e.id) returning 1
)
select count(*)::integer as deleted from removed

-- name: prune_states
-- params: nothing
-- returns: how many states of boundaries no edition has any more, and their bytes; those that an import corrected stay
-- not null: deleted, bytes
with removed as materialized (
  select b.state from edition_boundary b
  where not exists (select from edition_member m where m.state = b.state)
    and exists (select from edition_interval i where i.state = b.state and i.recorded_to is null)
), ended as (
  delete from edition_interval i using removed where i.state = removed.state
), deleted as (
  delete from edition_boundary b using removed where b.state = removed.state returning pg_column_size(b) as bytes
)
select count(*)::integer as deleted, coalesce(sum(bytes), 0)::float8 as bytes from deleted

-- name: prune_shapes
-- params: nothing
-- returns: how many shapes no state has, and their bytes
-- not null: deleted, bytes
with deleted as (
  delete from edition_shape s where not exists (select from edition_boundary b where b.shape = s.id)
  returning pg_column_size(s) as bytes
)
select count(*)::integer as deleted, coalesce(sum(bytes), 0)::float8 as bytes from deleted

-- name: prune_reaches
-- params: $1 numbers of editions
-- returns: nothing. Arcs that no boundary of these editions has are none of theirs
with used as (
  select distinct m.edition, r.arc
  from edition_member m
  join edition_boundary b on b.state = m.state
  cross join unnest(b.arc_ids) as r (arc)
  where m.edition = any ($1::bigint[])
)
delete from edition_reach x
where x.edition = any ($1::bigint[])
  and not exists (select from used u where u.edition = x.edition and u.arc = x.arc)

-- name: prune_arcs
-- params: nothing
-- returns: how many arcs neither a shape nor an edition has, and their bytes
-- not null: deleted, bytes
with used as materialized (
  select distinct r.arc from edition_shape s cross join unnest(s.arc_ids) as r (arc)
  union
  select arc from edition_reach
), deleted as (
  delete from edition_arc a where not exists (select from used u where u.arc = a.id)
  returning a.id, pg_column_size(a) as bytes
)
select count(*)::integer as deleted, coalesce(sum(bytes), 0)::float8 as bytes from deleted

-- name: prune_conflicts
-- params: nothing
-- returns: nothing
delete from edition_conflict c
where not exists (select from edition_arc a where a.id = c.a) or not exists (select from edition_arc a where a.id = c.b)

-- name: prune_sources
-- params: nothing
-- returns: nothing. Descriptions of sources without editions
delete from edition_source s where not exists (select from edition e where e.source = s.id)

-- name: prune_recorded
-- params: $1 a moment
-- returns: how many rows that were replaced by then, and their bytes: no later moment has them
-- not null: deleted, bytes
with removed as materialized (
  select number from data_record where at <= $1::timestamptz
), d1 as (
  delete from past_boundary p using removed g where p.replaced_in = g.number returning pg_column_size(p) as bytes
), d2 as (
  delete from past_boundary_shape p using removed g where p.replaced_in = g.number returning pg_column_size(p) as bytes
), d3 as (
  delete from past_boundary_name p using removed g where p.replaced_in = g.number returning pg_column_size(p) as bytes
), d4 as (
  delete from past_boundary_parent p using removed g where p.replaced_in = g.number returning pg_column_size(p) as bytes
), d5 as (
  delete from past_boundary_alias p using removed g where p.replaced_in = g.number returning pg_column_size(p) as bytes
), d6 as (
  delete from past_boundary_gone p using removed g where p.replaced_in = g.number returning pg_column_size(p) as bytes
), d7 as (
  delete from past_boundary_land p using removed g where p.replaced_in = g.number returning pg_column_size(p) as bytes
), d8 as (
  delete from past_shape_apart p using removed g where p.replaced_in = g.number returning pg_column_size(p) as bytes
), d9 as (
  delete from past_source p using removed g where p.replaced_in = g.number returning pg_column_size(p) as bytes
), d10 as (
  delete from past_arc p using removed g where p.replaced_in = g.number returning pg_column_size(p) as bytes
), d11 as (
  delete from past_arc_conflict p using removed g where p.replaced_in = g.number returning pg_column_size(p) as bytes
), d12 as (
  delete from past_edition p using removed g where p.replaced_in = g.number returning pg_column_size(p) as bytes
), d13 as (
  delete from past_edition_layer p using removed g where p.replaced_in = g.number returning pg_column_size(p) as bytes
), d14 as (
  delete from past_edition_interval p using removed g where p.replaced_in = g.number returning pg_column_size(p) as bytes
)
select count(*)::integer as deleted, coalesce(sum(bytes), 0)::float8 as bytes
from (
  select bytes from d1
  union all select bytes from d2
  union all select bytes from d3
  union all select bytes from d4
  union all select bytes from d5
  union all select bytes from d6
  union all select bytes from d7
  union all select bytes from d8
  union all select bytes from d9
  union all select bytes from d10
  union all select bytes from d11
  union all select bytes from d12
  union all select bytes from d13
  union all select bytes from d14
) as all_of_them

-- name: prune_records
-- params: $1 a moment
-- returns: the first moment that is kept (null: none is known)
with kept as materialized (
  select max(at) as at from data_record where at <= $1::timestamptz
), deleted as (
  delete from data_record r using kept k where r.at < k.at
)
select to_char(coalesce(k.at, (select min(at) from data_record)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as first
from kept k
