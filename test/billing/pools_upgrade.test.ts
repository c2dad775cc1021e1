import { randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { type Database, openDatabase, type Queryable } from '../../src/db/connect.ts';
import { migrate, migrateFrom, migrationsFolder, readMigrations } from '../../src/db/migrate.ts';
import { createBilling } from '../../src/domain/billing/billing.ts';
import { isNative } from '../setup/database.ts';
import { administer, databaseUrlOf, dropDatabase } from '../setup/native.ts';
import { withFormerNames } from './former_names.ts';

/** Runs `work` on a database with the migrations before a number, and with other connections to it. */
async function beforeMigration(
  number: string,
  work: (db: Database, open: () => Promise<Database>) => Promise<void>,
): Promise<void> {
  const server = process.env.TEST_DATABASE_URL as string;
  const name = `${inject('testRun')}_${process.pid}_${randomUUID().slice(0, 8)}`;
  await administer(server, `create database "${name}"`);
  const opened: Database[] = [];
  const open = async (): Promise<Database> => {
    const db = await openDatabase({ databaseUrl: databaseUrlOf(server, name), dataDir: '' });
    opened.push(db);
    return db;
  };
  try {
    const db = await open();
    const all = (await readMigrations(migrationsFolder())).map((migration) => migration.name);
    await migrateFrom(db, migrationsFolder(), { names: new Set(all.filter((one) => one < number)) });
    await work(db, open);
  } finally {
    await Promise.all(opened.map((db) => db.close()));
    await dropDatabase(server, name);
  }
}

test.skipIf(!isNative)('what was used before there were pools is used out of them', () =>
  beforeMigration('000050', async (db) => {
    await db.exec(`
      insert into account (id, email) values ('usr_ada', 'ada@example.org'), ('usr_bob', 'bob@example.org');
      insert into org (id, slug, name, plan, personal_of) values
        ('org_own', 'own', 'Own', 'free', 'usr_ada'), ('org_founded', 'founded', 'Founded', 'free', null),
        ('org_kept', 'kept', 'Kept', 'free', null), ('org_paid', 'paid', 'Paid', 'pro', null),
        ('org_local', 'local', 'Local', 'self_hosted', null);
      -- Ada founded one and left it to Bob; of the others the log says nothing, and Bob owns them.
      insert into membership (org, account, role) values ('org_own', 'usr_ada', 'owner'),
        ('org_founded', 'usr_bob', 'owner'), ('org_kept', 'usr_bob', 'owner'), ('org_kept', 'usr_ada', 'member'),
        ('org_paid', 'usr_ada', 'owner'), ('org_local', 'usr_ada', 'owner');
      insert into audit_log (id, org, action, actor_type, actor_id, actor_name, target_type, details)
        values ('aud_1', 'org_founded', 'org.create', 'person', 'usr_ada', 'Ada', 'org', '{}');
      insert into usage_month (org, month, used, reserved)
        select o, date_trunc('month', now() at time zone 'UTC')::date, u, r from (values
          ('org_own', 300, 0), ('org_founded', 200, 7), ('org_kept', 11, 0), ('org_paid', 4000, 0), ('org_local', 5, 0)
        ) as v (o, u, r);
      insert into usage_reservation (id, org, month, op, units, expires_at) values
        ('res_1', 'org_founded', date_trunc('month', now() at time zone 'UTC')::date, 'save_file', 7, now() + interval '1 minute');
    `);
    await migrate(db);
    const billing = createBilling(db);
    const of = async (org: string) => {
      const usage = await billing.usage(org);
      return [usage?.used, usage?.reserved, usage?.limit];
    };
    expect(await of('org_own')).toEqual([500, 7, 1000]);
    expect(await of('org_founded')).toEqual([500, 7, 1000]);
    expect(await of('org_kept')).toEqual([11, 0, 1000]);
    expect(await of('org_paid')).toEqual([4000, 0, 50_000]);
    expect(await of('org_local')).toEqual([5, 0, null]);
    expect(await billing.settle({ id: 'res_1', org: 'org_founded', op: 'save_file', units: 7 })).toBe(true);
    expect(await of('org_own')).toEqual([507, 0, 1000]);
  }),
);

const HELD = 7;
/** Charges before the migration begins, and after it. */
const CHARGES = 40;

test.skipIf(!isNative)('servers of the previous release charge while the tables of units are renamed', () =>
  beforeMigration('000580', async (db, open) => {
    await db.exec(`insert into account (id, email) values ('usr_ada', 'ada@example.org');
      insert into org (id, slug, name, plan, personal_of) values ('org_own', 'own', 'Own', 'free', 'usr_ada');
      update plan set included_units = 1000000 where id = 'free'`);
    const server = await open();
    const previous = createBilling(withFormerNames(server));
    const reserve = (units: number) =>
      previous.reserve({ org: 'org_own', op: 'export_boundary', units, deadline: Date.now() + 60_000 });
    const held = await reserve(HELD);
    let [charges, units] = [0, 0];
    let stopped = false;
    const walk = async (caller: number): Promise<void> => {
      while (!stopped) {
        const one = await reserve(1 + caller);
        if (charges++ % 3 === 0) {
          await previous.refund(one);
          continue;
        }
        // Some as a job is paid for: in a transaction that has used one of the tables already.
        const inTransaction = (tx: Queryable): Promise<boolean> => {
          const former = withFormerNames(tx);
          return previous
            .extendIn(former, one, Date.now() + 60_000)
            .then((held) => held && previous.settleIn(former, one));
        };
        expect(await (charges % 3 === 0 ? server.transaction(inTransaction) : previous.settle(one))).toBe(true);
        units += one.units;
      }
    };
    const walks = Promise.all([0, 1].map(walk));
    const more = async () => {
      const from = charges;
      await Promise.race([walks, expect.poll(() => charges, { timeout: 30_000 }).toBeGreaterThan(from + CHARGES)]);
    };
    await more();
    expect((await migrate(db)).applied).toContain('000580_unit_budgets.sql');
    await more();
    stopped = true;
    await walks;
    const next = createBilling(db);
    expect(await next.usage('org_own')).toMatchObject({ used: units, reserved: HELD });
    expect(await previous.usage('org_own')).toEqual(await next.usage('org_own'));
    expect(await next.settle(held)).toBe(true);
    expect(await previous.usage('org_own')).toMatchObject({ used: units + HELD, reserved: 0 });
    const { n } = only(await db.query<{ n: number }>('select count(*)::integer as n from unit_reservation'));
    expect(n).toBe(0);
  }),
);
