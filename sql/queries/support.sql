-- name: support_database
-- params: nothing
-- returns: one row: the version, settings and size of the database, without names of people or hosts
select current_setting('server_version') as server, current_setting('max_connections') as max_connections,
       current_setting('shared_buffers') as shared_buffers, current_setting('work_mem') as work_mem,
       current_setting('default_transaction_read_only') as read_only,
       pg_database_size(current_database()) as bytes,
       (select jsonb_object_agg(extname, extversion) from pg_extension) as extensions,
       (select count(*)::integer from pg_stat_activity where datname = current_database()) as sessions

-- name: support_migrations
-- params: nothing
-- returns: the migrations that were applied, in order
select name, applied_at from schema_migration order by name

-- name: support_tables
-- params: nothing
-- returns: every table with its approximate rows (from the last statistics) and its size in bytes with indexes
select relname::text as name, reltuples::bigint as rows, pg_total_relation_size(oid) as bytes
from pg_class
where relkind = 'r' and relnamespace = current_schema()::regnamespace
order by relname
