import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProblemError } from '../../src/core/errors.ts';
import { type Billing, createBilling, type Reservation } from '../../src/domain/billing/billing.ts';
import { createKeys, type Keys } from '../../src/domain/people/keys.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';

let database: TestDatabase;
let keys: Keys;
let billing: Billing;
let count = 0;
beforeAll(async () => {
  database = await testDatabase();
  keys = createKeys(database.db);
  billing = createBilling(database.db);
  await database.db.query(
    `insert into plan (id, name, price_month, included_units, requests_per_minute, batch_size, position)
     values ('hundred', 'Hundred', 1, 100, 60, 10, 9)`,
  );
});
afterAll(() => database.close());

async function newOrg(plan = 'hundred'): Promise<string> {
  return (await keys.create({ email: `payer${++count}@example.org`, plan })).org.id;
}
const hold = (org: string, units = 1, lifetime = 30_000): Promise<Reservation> =>
  billing.reserve({ org, op: 'union_boundaries', units, deadline: Date.now() + lifetime });
const left = async (org: string) => {
  const usage = await billing.usage(org);
  return [usage?.used, usage?.reserved];
};
/** As if the process that held them had died and their time had passed. */
const expire = (org: string) =>
  database.db.query("update unit_reservation set expires_at = now() - interval '1 second' where org = $1", [org]);

describe('the budget of a month', () => {
  test('200 reservations at once of a budget of 100 grant exactly 100', async () => {
    const org = await newOrg();
    const results = await Promise.allSettled(Array.from({ length: 200 }, () => hold(org)));
    const granted = results.filter((result) => result.status === 'fulfilled').map((result) => result.value);
    const refused = results.filter((result) => result.status === 'rejected').map((result) => result.reason);
    expect(granted.length).toBe(100);
    expect(new Set(granted.map(({ id }) => id)).size).toBe(100);
    for (const reason of refused) {
      expect(reason).toBeInstanceOf(ProblemError);
      expect(reason).toMatchObject({ code: 'quota_exceeded', extra: { used: 100, limit: 100 } });
    }
    expect(await left(org)).toEqual([0, 100]);
    await Promise.all(granted.map((id, i) => (i % 2 ? billing.refund(id) : billing.settle(id))));
    expect(await left(org)).toEqual([50, 0]);
  });

  test('the limit holds at every moment while calls come, succeed and fail', async () => {
    const org = await newOrg();
    let settled = 0;
    const totals: number[] = [];
    await Promise.all(
      Array.from({ length: 150 }, async (_, i) => {
        try {
          const id = await hold(org, (i % 7) + 1);
          const usage = await billing.usage(org);
          totals.push((usage?.used ?? 0) + (usage?.reserved ?? 0));
          if (i % 3 === 0) await billing.refund(id);
          else if (await billing.settle(id)) settled += (i % 7) + 1;
        } catch (error) {
          expect(error).toMatchObject({ code: 'quota_exceeded' });
        }
      }),
    );
    expect(Math.max(...totals)).toBeLessThanOrEqual(100);
    expect(await left(org)).toEqual([settled, 0]);
  });

  test('a call bigger than what is left is refused and takes nothing; a smaller one still fits', async () => {
    const org = await newOrg();
    await expect(hold(org, 101)).rejects.toMatchObject({ extra: { used: 0, limit: 100 } });
    await billing.settle(await hold(org, 98));
    await expect(hold(org, 3)).rejects.toMatchObject({ extra: { used: 98, limit: 100 } });
    await billing.settle(await hold(org, 2));
    expect(await left(org)).toEqual([100, 0]);
  });

  test('one organization does not spend what is of another', async () => {
    const [a, b] = [await newOrg(), await newOrg()];
    await billing.settle(await hold(a, 100));
    await expect(hold(a)).rejects.toMatchObject({ code: 'quota_exceeded' });
    await billing.settle(await hold(b, 100));
  });

  test('settling or refunding twice counts once', async () => {
    const org = await newOrg();
    const id = await hold(org, 10);
    expect(await Promise.all([billing.settle(id), billing.settle(id)])).toContain(false);
    await billing.refund(id);
    expect(await left(org)).toEqual([10, 0]);
  });

  test('what a dead process held is given back when it is needed, and not counted when it wakes up', async () => {
    const org = await newOrg();
    const lost = await hold(org, 60);
    await hold(org, 40);
    await expect(hold(org, 60)).rejects.toMatchObject({ code: 'quota_exceeded' });
    await expire(org);
    const second = await hold(org, 60);
    expect(await billing.settle(lost)).toBe(false);
    await billing.settle(second);
    expect(await left(org)).toEqual([60, 0]);
  });

  test('sweeps at once give each reservation back once', async () => {
    const org = await newOrg();
    await Promise.all(Array.from({ length: 20 }, () => hold(org, 5)));
    await expire(org);
    const swept = await Promise.all([billing.sweep(), billing.sweep(), billing.sweep()]);
    expect(swept.reduce((sum, n) => sum + n)).toBe(20);
    expect(await left(org)).toEqual([0, 0]);
  });

  test('a month begins with nothing used, and a call is counted in the month it began', async () => {
    const org = await newOrg();
    await billing.settle(await hold(org, 100));
    const late = await billing.usage(org);
    expect(late?.used).toBe(100);
    const open = await hold(await newOrg(), 1);
    for (const table of ['unit_month', 'usage_by_op', 'unit_reservation']) {
      await database.db.query(`update ${table} set month = (month - interval '1 month')::date`);
    }
    expect(await billing.usage(org)).toMatchObject({ used: 0, by_op: [] });
    await billing.settle(await hold(org, 100));
    expect(await billing.settle(open)).toBe(true);
    const rows = await database.db.query<{ used: number }>(
      'select used from unit_month where pool = $1 order by month',
      [org],
    );
    expect(rows.map((row) => row.used)).toEqual([100, 100]);
  });

  test('units are counted by operation', async () => {
    const org = await newOrg('self_hosted');
    const reserve = (op: string, units: number) =>
      billing.reserve({ org, op, units, deadline: Date.now() + 1000 }).then(billing.settle);
    await Promise.all([reserve('union_boundaries', 5), reserve('union_boundaries', 2), reserve('save_file', 1)]);
    expect(await billing.usage(org)).toMatchObject({
      used: 8,
      limit: null,
      by_op: [
        { op: 'save_file', calls: 1, units: 1 },
        { op: 'union_boundaries', calls: 2, units: 7 },
      ],
    });
  });

  test('an organization that does not exist has no budget', async () => {
    await expect(hold('org_none')).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect(await billing.usage('org_none')).toBeNull();
  });
});

describe('calls of one organization that come together', () => {
  test('go into few statements, and are granted in the order in which they came', async () => {
    const org = await newOrg();
    let statements = 0;
    const counting = new Proxy(database.db, {
      get(target, name) {
        if (name === 'query') statements++;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const own = createBilling(counting);
    const units = Array.from({ length: 200 }, (_, i) => (i % 3) + 1);
    const calls = units.map((one) =>
      own.reserve({ org, op: 'export_boundary', units: one, deadline: Date.now() + 30_000 }).catch(() => null),
    );
    const results = await Promise.all(calls);
    let taken = 0;
    const expected = units.map((one) => {
      if (taken + one > 100) return false;
      taken += one;
      return true;
    });
    expect(results.map((one) => one !== null)).toEqual(expected);
    const granting = statements;
    await Promise.all(results.flatMap((one) => (one ? [own.settle(one)] : [])));
    expect(statements - granting).toBeLessThanOrEqual(2);
    expect(await left(org)).toEqual([100, 0]);
  });
});
