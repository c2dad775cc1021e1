-- name: data_revision
-- params: nothing
-- returns: the revision of the data; every transaction that changes boundaries increases it; and when the last one did
select (select base from data_revision) + (select count(*) from data_change) as revision,
       to_char((select max(at) from data_record) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as recorded_at

-- name: data_revision_fold
-- params: nothing
-- returns: nothing. Folds changes older than an hour into the base; the revision stays the same
with folded as (
  delete from data_change where started_at < now() - interval '1 hour' returning 1
)
update data_revision set base = base + (select count(*) from folded)
where exists (select from folded)

-- name: data_status
-- params: nothing
-- returns: a row per source: its description, how many boundaries it has by state, and when it was imported
-- not null: id, name, license, attribution, imported_at, boundaries, with_geometry, stale, broken
-- types: imported_at string; data_at string
with counted as (
  select source, count(*)::integer as boundaries from boundary group by source
), without as (
  select source, count(*)::integer as boundaries from boundary where not has_geometry group by source
), old as (
  select source, count(*)::integer as boundaries from boundary where stale is not null group by source
), bad as (
  select source, count(*)::integer as boundaries from boundary where broken is not null group by source
)
select s.id, s.name, s.url, s.licence as license, s.attribution, s.edition, s.imported_at, s.data_at,
       s.reference_system, s.accuracy_m, coalesce(c.boundaries, 0) as boundaries,
       coalesce(c.boundaries, 0) - coalesce(w.boundaries, 0) as with_geometry,
       coalesce(o.boundaries, 0) as stale, coalesce(b.boundaries, 0) as broken
from source s
left join counted c on c.source = s.id
left join without w on w.source = s.id
left join old o on o.source = s.id
left join bad b on b.source = s.id
order by s.id

-- name: data_updates
-- params: nothing
-- returns: the last change applied, by address
select address, sequence, data_at, applied_at from update_state order by address

-- name: data_position
-- params: nothing
-- returns: the revision of the data, and a position in the write-ahead log (bytes) after all changes it counts
select (select base from data_revision) + (select count(*) from data_change) as revision,
       pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as position

-- name: data_replayed
-- params: nothing
-- returns: how far a replica has replayed the write-ahead log (bytes); null when it is not a replica
select case when pg_is_in_recovery() then pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint end as position

-- name: data_identity
-- params: nothing
-- returns: the identity of the cluster and the database; a primary and its replicas have the same
select system_identifier::text as cluster, current_database()::text as database from pg_control_system()

-- name: data_pin_wait
-- params: nothing
-- returns: once all transactions that have a moment of the past have committed
select pg_advisory_xact_lock_shared(1650421252, 1)

-- name: data_pin
-- params: $1 a moment
-- returns: the highest number of a transaction that changed boundaries by then (null: none is known), the lower numbers
--   of
--   those that committed later or still run, the moment of the last one by then, the first moment that is known, the
--   present one, and
--   whether $1 is later than that
-- not null: open, first, now, is_future
with range as (
  select min(at) as first, greatest(max(at), clock_timestamp()) as now from data_record
), last as (
  select upto as number, at from data_record where at <= $1::timestamptz order by at desc limit 1
)
select l.number::text as number,
       coalesce((select string_agg(o.number::text, ',' order by o.number)
                 from (
                   -- A higher number had committed before it: few rows, in an index of their own.
                   select d.number
                   from data_record d
                   where d.upto > d.number and d.at > $1::timestamptz and d.number < l.number
                   union
                   -- The row of a transaction that runs is not seen yet; one that was undone has changed nothing.
                   (select generate_series(greatest(l.number - 200, (select upto + 1 from data_record order by at limit 1)),
                                           l.number - 1)
                    except
                    select d.number from data_record d where d.number between l.number - 200 and l.number - 1)
                 ) o), '') as open,
       to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
       coalesce(to_char(r.first at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '') as first,
       to_char(r.now at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now,
       $1::timestamptz > r.now as is_future
from range r
left join last l on true

-- name: data_as_recorded
-- params: $1 the highest number of a transaction, $2 lower numbers that are left out, with commas
-- returns: the search path of the transaction, in which every statement reads what these transactions had stored
select set_config('search_path', quote_ident(current_schema() || '_pin') || ', ' || current_setting('search_path'), true) as path,
       set_config('boundary.pin', $1::text, true) as number, set_config('boundary.pin_open', $2, true) as open
