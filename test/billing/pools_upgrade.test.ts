import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { openDatabase } from '../../src/db/connect.ts';
import { migrate, migrateFrom, migrationsFolder } from '../../src/db/migrate.ts';
import { createBilling } from '../../src/domain/billing/billing.ts';
import { isNative } from '../setup/database.ts';
import { administer, databaseUrlOf, dropDatabase } from '../setup/native.ts';

test.skipIf(!isNative)('what was used before there were pools is used out of them', async () => {
  const server = process.env.TEST_DATABASE_URL as string;
  const name = `${inject('testRun')}_${process.pid}_before_pools`;
  const folder = await mkdtemp(join(tmpdir(), 'boundary-before-pools-'));
  await administer(server, `create database "${name}"`);
  const db = await openDatabase({ databaseUrl: databaseUrlOf(server, name), dataDir: folder });
  try {
    for (const file of await readdir(migrationsFolder())) {
      if (file < '000050') await cp(join(migrationsFolder(), file), join(folder, file));
    }
    await migrateFrom(db, folder);
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
  } finally {
    await db.close();
    await dropDatabase(server, name);
    await rm(folder, { recursive: true, force: true });
  }
});
