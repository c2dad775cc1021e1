-- name: backup_foreign_keys
-- params: nothing
-- returns: the statements that drop all foreign keys, and those that add them again and check every row
select string_agg(format('alter table %s drop constraint %I', conrelid::regclass, conname), '; ') as drop_all,
       string_agg(format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)),
                  '; ') as add_all
from pg_constraint
where contype = 'f' and connamespace = current_schema()::regnamespace

-- name: backup_migrations
-- params: nothing
-- returns: the migrations that were applied, in order
select name, sha256 from schema_migration order by name

-- name: backup_migrations_there
-- params: nothing
-- returns: whether migrations were ever applied
select to_regclass('schema_migration') is not null as there

-- name: backup_restored_arcs
-- params: nothing
-- returns: the number after which arcs are changed from now on, which no process has seen: microseconds since 1970
select setval('arc_revision', greatest(last_value, (extract(epoch from clock_timestamp()) * 1000000)::bigint)) as revision
from arc_revision

-- name: backup_restored_jobs
-- params: nothing
-- returns: nothing. Unfinished jobs start from the beginning: their parts are not in a backup
update job set state = 'queued', revision = null, done = 0, failed = '[]', lease_until = null
where state in ('queued', 'running')

-- name: backup_restored_revision
-- params: nothing
-- returns: nothing. Folds changes into the base and raises it to a number that no process has seen: seconds since 1970
with counted as (
  delete from data_change returning 1
)
update data_revision
set base = greatest(base + (select count(*) from counted) + 1, extract(epoch from clock_timestamp())::bigint)

-- name: backup_sequences
-- params: nothing
-- returns: every sequence, with the statement that reads it
-- not null: name, reading
select relname::text as name, format('select last_value, is_called from %s', oid::regclass) as reading
from pg_class c
where relkind = 'S' and relnamespace = current_schema()::regnamespace
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
order by relname

-- name: backup_server
-- params: nothing
-- returns: the version of the server
select current_setting('server_version') as version

-- name: backup_set_sequence
-- params: $1 sequence, $2 its last value, $3 whether that value was already used
-- returns: the value
select setval(quote_ident($1::text)::regclass, $2::bigint, $3::boolean) as value

-- name: backup_tables
-- params: $1 tables to leave out
-- returns: every table of the service that survives a crash (not unlogged), by name, with its columns and the
--   statements that open a cursor over its rows as text, insert rows from arrays of text (one per column), and count
--   its rows
-- not null: name, columns, reading, writing, counting
select c.relname::text as name,
       array_agg(a.attname::text order by a.attnum) as columns,
       format('declare backup_rows no scroll cursor for select %s from %s',
              string_agg(format('%1$I::text as %1$I', a.attname), ', ' order by a.attnum), c.oid::regclass) as reading,
       format('insert into %s (%s) overriding system value select %s from unnest(%s) as u(%s)', c.oid::regclass,
              string_agg(format('%I', a.attname), ', ' order by a.attnum),
              string_agg(format('u.%I::%s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum),
              string_agg(format('$%s::text[]', a.position), ', ' order by a.attnum),
              string_agg(format('%I', a.attname), ', ' order by a.attnum)) as writing,
       format('select count(*) from %s', c.oid::regclass) as counting
from pg_class c
join lateral (
  select attname, attnum, atttypid, atttypmod, row_number() over (order by attnum) as position
  from pg_attribute
  where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = ''
) a on true
where c.relkind = 'r' and c.relpersistence = 'p' and c.relnamespace = current_schema()::regnamespace
  and c.relname <> all ($1::text[])
  and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
group by c.oid, c.relname
order by c.relname

-- name: backup_triggers
-- params: nothing
-- returns: the statements that disable all triggers, and those that restore their state
select string_agg(format('alter table %s disable trigger %I', tgrelid::regclass, tgname), '; ') as disable_all,
       string_agg(format('alter table %s enable %strigger %I', tgrelid::regclass,
                         case tgenabled when 'A' then 'always ' when 'R' then 'replica ' else '' end, tgname),
                  '; ') as enable_all
from pg_trigger t
join pg_class c on c.oid = t.tgrelid
where not tgisinternal and tgenabled <> 'D' and c.relnamespace = current_schema()::regnamespace

-- name: backup_used
-- params: nothing
-- returns: whether the database holds data that a new one does not have
select exists (select from account) or exists (select from org) or exists (select from boundary)
    or exists (select from source) or exists (select from file) or exists (select from audit_log) as used
