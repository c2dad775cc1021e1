-- name: native/migrate_apart
-- params: $1 role
-- returns: the name of the database, and whether the role can neither own nor become the owner of the audit log
select current_database() as database,
       not (select rolsuper from pg_roles where rolname = $1) and not pg_has_role($1, relowner, 'member') as apart
from pg_class where oid = 'audit_log'::regclass

-- name: native/migrate_grants
-- params: $1 role
-- returns: one row: the statements that let the role use the connected role's tables, with only the rights it needs on
--   the audit log and the migration records
select string_agg(statement, ';' order by rank, statement) as grants from (
  select 0 as rank, format('grant usage on schema public to %I', $1::text) as statement
  union all
  select 1, format('grant %s on public.%I to %I',
                   case relkind when 'S' then 'usage, select, update' else 'select, insert, update, delete' end,
                   relname, $1::text)
  from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S', 'v') and pg_has_role(relowner, 'usage')
    and not exists (select 1 from pg_depend where objid = pg_class.oid and deptype = 'e')
  union all
  select 2, format('revoke update, delete, truncate, references, trigger on audit_log from %I', $1::text)
  union all
  select 2, format('revoke insert, update, delete, truncate, references, trigger on schema_migration from %I', $1::text)
) as statements
