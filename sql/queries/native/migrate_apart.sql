-- params: $1 role; returns: the name of the database, and whether the role can neither own nor become the owner of the audit log
select current_database() as database,
       not (select rolsuper from pg_roles where rolname = $1) and not pg_has_role($1, relowner, 'member') as apart
from pg_class where oid = 'audit_log'::regclass
