import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/db/connect.ts';
import { migrate, migrateAs } from '../../src/db/migrate.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { administer } from '../setup/native.ts';
import { testPeople } from '../setup/people.ts';

const server = process.env.TEST_DATABASE_URL ?? '';
const name = `boundary_test_app_${process.pid}`;
const password = 'of-this-test-alone';

/** The same database, as another role. */
function as(role: string, url: string | null): string {
  const found = new URL(url ?? '');
  found.username = role;
  found.password = password;
  return found.href;
}

describe.skipIf(!isNative)('a role that does not own the tables', () => {
  let owner: TestDatabase;
  let app: Database;
  beforeAll(async () => {
    owner = await testDatabase();
    await administer(server, `create role ${name} login password '${password}' nosuperuser`);
    app = await openDatabase({ databaseUrl: as(name, owner.databaseUrl), dataDir: '' });
  });
  afterAll(async () => {
    await app?.close();
    if (owner) await owner.db.query(`drop owned by ${name}`);
    await owner?.close();
    await administer(server, `drop role if exists ${name}`);
  });

  test('can use nothing before it is let in', async () => {
    await expect(app.query('select * from account')).rejects.toMatchObject({ code: '42501' });
  });

  test('can do its work once the owner has migrated, and cannot touch what is logged', async () => {
    expect(await migrateAs(owner.db, app)).toEqual({ applied: [], ahead: [] });
    // Starting without the owner's connection needs no more rights than these.
    expect(await migrate(app)).toEqual({ applied: [], ahead: [] });
    const { keys } = testPeople(app);
    const made = await keys.create({ email: 'guarded@example.org', orgSlug: 'guarded' });
    const caller = await keys.authenticate(made.key);
    expect(caller.org?.slug).toBe('guarded');
    const logged = () => app.query<{ n: number }>('select count(*)::integer as n from audit_log');
    const [{ n }] = await logged();
    expect(n).toBeGreaterThan(1);

    const refused = [
      "update audit_log set actor_name = 'nobody'",
      'delete from audit_log',
      'truncate audit_log',
      'alter table audit_log disable trigger all',
      'drop trigger audit_log_is_final on audit_log',
      'create trigger mine before insert on audit_log for each row execute function audit_log_is_final()',
      "create or replace function audit_log_is_final() returns trigger language plpgsql as 'begin return null; end'",
      'alter table audit_log owner to current_user',
      'create rule hide as on insert to audit_log do instead nothing',
      'drop table audit_log',
      `grant update on audit_log to ${name}`,
      "set session_replication_role = 'replica'",
      "update schema_migration set sha256 = ''",
      'delete from schema_migration',
      'create table beside (id integer)',
    ];
    for (const sql of refused) {
      if (sql.startsWith('grant')) {
        // Without the right to grant, PostgreSQL refuses, or warns and grants nothing.
        await app.query(sql).catch(() => undefined);
        continue;
      }
      await expect(app.query(sql), sql).rejects.toMatchObject({ code: '42501' });
    }
    await expect(app.query("update audit_log set actor_name = 'nobody'")).rejects.toMatchObject({ code: '42501' });
    expect(await logged()).toEqual([{ n }]);
  });

  test('every other table is its own to read and write', async () => {
    const rows = await app.query<{ relname: string; may: boolean }>(
      `select relname, bool_and(has_table_privilege(c.oid, right_)) as may
       from pg_class c, unnest(array['select', 'insert', 'update', 'delete']) right_
       where relnamespace = 'public'::regnamespace and relkind = 'r'
         and relname not in ('audit_log', 'schema_migration', 'spatial_ref_sys')
       group by relname`,
    );
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((row) => !row.may)).toEqual([]);
  });

  test('a role that could undo the guard is refused: the owner itself, a superuser, another database', async () => {
    await expect(migrateAs(owner.db, owner.db)).rejects.toThrow('not safe from the role');
    const elsewhere = await openDatabase({ databaseUrl: server, dataDir: '' });
    await expect(migrateAs(owner.db, elsewhere)).rejects.toThrow('different databases');
    await elsewhere.close();
  });
});
