import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/db/connect.ts';
import { migrate, migrateAs } from '../../src/db/migrate.ts';
import { loadQuery } from '../../src/db/query.ts';
import { createCache } from '../../src/geometry/cached.ts';
import { Engine } from '../../src/geometry/engine.ts';
import type { Services } from '../../src/services.ts';
import { rowOf, storeMade } from '../history/made_editions.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { leading } from '../setup/elements.ts';
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
    const [{ n }] = leading(await logged(), 1);
    expect(n).toBeGreaterThan(1);

    const refused = [
      "update audit_log set actor_name = 'forged'",
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
    await expect(app.query("update audit_log set actor_name = 'forged'")).rejects.toMatchObject({ code: '42501' });
    expect(await logged()).toEqual([{ n }]);
  });

  test('every other table is its own to read and write, and every view, sequence and function to use', async () => {
    const refused = await app.query<{ what: string }>(
      `with space as (
         select n.oid, n.nspname from pg_namespace n where n.nspname = 'public' or n.nspname like 'public\\_%'
       ), own as (
         select c.oid, n.nspname || '.' || c.relname as what, c.relkind
         from pg_class c join space n on n.oid = c.relnamespace
         where c.relname not in ('audit_log', 'schema_migration')
           and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
       )
       select 'schema ' || nspname as what from space where not has_schema_privilege(oid, 'usage')
       union all
       select right_ || ' ' || what from own, unnest(array['select', 'insert', 'update', 'delete']) right_
       where relkind in ('r', 'p') and not has_table_privilege(oid, right_)
       union all
       select 'select ' || what from own where relkind in ('v', 'm') and not has_table_privilege(oid, 'select')
       union all
       select 'usage ' || what from own where case relkind when 'S' then not has_sequence_privilege(oid, 'usage') end
       union all
       select 'execute ' || p.oid::regprocedure::text from pg_proc p join space n on n.oid = p.pronamespace
       where not has_function_privilege(p.oid, 'execute')`,
    );
    expect(refused).toEqual([]);
    const [found] = await app.query<{ spaces: number }>(
      "select count(*)::integer as spaces from pg_namespace where nspname like 'public\\_%'",
    );
    expect(found?.spaces).toBeGreaterThanOrEqual(5);
  });

  test('can import, store editions and read the past and area sets', async () => {
    const engine = new Engine(app, { threads: 1, arcBytes: 64e6, cache: createCache(16e6), maxResponseBytes: 64e6 });
    try {
      const services = { db: app, engine } as unknown as Services;
      const first = [
        { id: 'A', name: 'Abeche', cells: rowOf(0, 0, 2) },
        { id: 'B', name: 'Bol', cells: rowOf(0, 2, 4) },
      ];
      const moved = [
        { id: 'A', name: 'Abeche', cells: rowOf(0, 0, 3) },
        { id: 'B', name: 'Bol', cells: rowOf(0, 3, 4) },
      ];
      await storeMade({ services }, null, first);
      await storeMade({ services }, '2010-01-01', first);
      await storeMade({ services }, '2015-01-01', moved);
      await storeMade({ services }, null, moved);
      const [{ number } = { number: '' }] = await app.query<{ number: string }>(
        'select max(number)::text as number from data_record where at is not null',
      );
      const views = [[], ['data_as_recorded'], ['edition_as_of'], ['data_as_recorded', 'edition_as_of']] as const;
      const sets = [['sets_view'], ['edition_as_of', 'sets_view']] as const;
      const values = { data_as_recorded: [number, ''], edition_as_of: ['2012-06-01'], sets_view: ['', true] };
      for (const names of [...views, ...sets]) {
        const seen = await app.transaction(async (tx) => {
          for (const one of names) await tx.query(loadQuery(one), values[one]);
          return tx.query(
            `select distinct b.id from boundary b join boundary_shape s on s.boundary_id = b.id
             join boundary_name n on n.boundary_id = b.id
             where exists (select from arc a where a.id = any (s.arc_ids)) and b.name = 'Bol'`,
          );
        });
        expect(seen.length, names.join()).toBe(1);
      }
    } finally {
      await engine.close();
    }
  }, 120_000);

  test('a role that could undo the guard is refused: the owner itself, a superuser, another database', async () => {
    await expect(migrateAs(owner.db, owner.db)).rejects.toThrow('not safe from the role');
    const elsewhere = await openDatabase({ databaseUrl: server, dataDir: '' });
    await expect(migrateAs(owner.db, elsewhere)).rejects.toThrow('different databases');
    await elsewhere.close();
  });
});
