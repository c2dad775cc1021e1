import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import type { Caller } from '../../src/core/access.ts';
import { type Billing, createBilling, type Reservation } from '../../src/domain/billing/billing.ts';
import { type OrgHarness, openOrgHarness, type Person } from '../orgs/org_harness.ts';
import { withFormerNames } from './former_names.ts';

const UNITS = 50;

let stock: OrgHarness;
let count = 0;
beforeAll(async () => {
  stock = await openOrgHarness();
  await stock.test.db.query('update plan set included_units = $1 where id = $2', [UNITS, 'free']);
  await stock.test.db.query(
    "insert into plan (id, name, price_month, included_units, position) values ('paid', 'Paid', 9, 20, 9)",
  );
});
afterAll(() => stock?.close());

const hold = (org: string, units = 1): Promise<Reservation> =>
  stock.services.billing.reserve({ org, plan: 'free', op: 'export_boundary', units, deadline: Date.now() + 30_000 });
const spend = async (org: string, units = 1): Promise<boolean> => stock.services.billing.settle(await hold(org, units));
const usage = async (caller: Caller) => {
  const { used, limit } = await stock.ok<{ used: number; limit: number | null }>('get_usage', {}, caller);
  return { used, limit };
};

/** An organization on the free plan that the person founds. */
async function found(founder: Person, plan = 'free'): Promise<string> {
  const org = await stock.org(founder, `House ${++count}`);
  await stock.test.db.query('update org set plan = $2 where id = $1', [org, plan]);
  return org;
}

describe('free units are one pool for each founder', () => {
  let founder: Person;
  beforeEach(async () => {
    founder = await stock.person(`founder${++count}@example.org`);
  });

  test('ten organizations of one founder have the units of one, used and limit of 402 and get_usage are of the pool', async () => {
    const orgs: string[] = [];
    for (let i = 0; i < 10; i++) orgs.push(await found(founder));
    const results = await Promise.allSettled(Array.from({ length: 120 }, (_, i) => hold(defined(orgs[i % 10]))));
    const held = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refused = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(held).toHaveLength(UNITS);
    for (const reason of refused) {
      expect(reason).toMatchObject({ code: 'quota_exceeded', extra: { used: UNITS, limit: UNITS } });
    }
    await Promise.all(held.map((one) => stock.services.billing.settle(one)));
    for (const org of orgs) {
      expect(await usage(await stock.session(founder, org))).toEqual({ used: UNITS, limit: UNITS });
    }
  });

  test('what fails in one organization is there for the others', async () => {
    const [a, b] = [await found(founder), await found(founder)];
    const held = await hold(a, UNITS);
    await expect(hold(b)).rejects.toMatchObject({ code: 'quota_exceeded' });
    await stock.services.billing.refund(held);
    expect(await spend(b, UNITS)).toBe(true);
  });

  test('what a dead process held of the pool comes back when another organization needs it', async () => {
    const [a, b] = [await found(founder), await found(founder)];
    await hold(a, UNITS);
    await stock.test.db.query("update unit_reservation set expires_at = now() - interval '1 second' where org = $1", [
      a,
    ]);
    expect(await spend(b, UNITS)).toBe(true);
    await expect(hold(a)).rejects.toMatchObject({ extra: { used: UNITS, limit: UNITS } });
  });

  test('the units stay used when the organization is deleted and founded again', async () => {
    const first = await found(founder);
    await spend(first, 30);
    await stock.ok('delete_org', {}, await stock.session(founder, first));
    const second = await found(founder);
    expect(await usage(await stock.session(founder, second))).toEqual({ used: 30, limit: UNITS });
    await expect(hold(second, 21)).rejects.toMatchObject({ extra: { used: 30, limit: UNITS } });
  });

  test('a call that ends after its organization was deleted is paid for', async () => {
    const first = await found(founder);
    const running = await hold(first, 30);
    await stock.ok('delete_org', {}, await stock.session(founder, first));
    const second = await found(founder);
    await expect(hold(second, 21)).rejects.toMatchObject({ code: 'quota_exceeded' });
    expect(await stock.services.billing.settle(running)).toBe(true);
    expect(await usage(await stock.session(founder, second))).toEqual({ used: 30, limit: UNITS });
  });

  test('the pool is the founder’s when others own the organization, and theirs is not touched', async () => {
    const heir = await stock.person(`heir${++count}@example.org`);
    const org = await found(founder);
    const rest = await found(founder);
    await stock.join(org, founder, heir, 'owner');
    await stock.ok('remove_member', { user_id: founder.id }, await stock.session(founder, org));
    await spend(org, UNITS);
    await expect(hold(rest)).rejects.toMatchObject({ code: 'quota_exceeded' });
    const own = await found(heir);
    expect(await usage(await stock.session(heir, own))).toEqual({ used: 0, limit: UNITS });
  });

  test('an account that is deleted and made again with the same address has the units it had', async () => {
    const org = await found(founder);
    await spend(org, 40);
    await stock.ok('delete_account', {}, await stock.session(founder, org));
    const again = await stock.person(founder.email);
    expect(again.id).not.toBe(founder.id);
    const second = await found(again);
    expect(await usage(await stock.session(again, second))).toEqual({ used: 40, limit: UNITS });
  });

  test('of a deleted account nothing is kept after the month', async () => {
    await spend(await found(founder), 40);
    const rows = async () =>
      only(
        await stock.test.db.query<{ n: number }>(
          "select count(*)::integer as n from unit_month where pool like 'pool%'",
        ),
      ).n;
    const before = await rows();
    await stock.ok('delete_account', {}, await stock.session(founder, await found(founder)));
    await stock.services.billing.sweep();
    expect(await rows()).toBe(before);
    await stock.test.db.query("update pool_of_the_gone set gone_at = gone_at - interval '40 days'");
    await stock.test.db.query(
      "update unit_month set month = (month - interval '2 months')::date where pool in (select pool from pool_of_the_gone)",
    );
    await stock.services.billing.sweep();
    expect(await rows()).toBe(before - 1);
  });

  test('a paid plan is of its organization, and neither takes from the pool nor gives to it', async () => {
    const [free, paid, other] = [await found(founder), await found(founder, 'paid'), await found(founder, 'paid')];
    const hire = (org: string, units: number) =>
      stock.services.billing.reserve({ org, plan: 'paid', op: 'save_file', units, deadline: Date.now() + 30_000 });
    await stock.services.billing.settle(await hire(paid, 20));
    await expect(hire(paid, 1)).rejects.toMatchObject({ extra: { used: 20, limit: 20 } });
    await stock.services.billing.settle(await hire(other, 20));
    await spend(free, UNITS);
    expect(await usage(await stock.session(founder, paid))).toEqual({ used: 20, limit: 20 });
    expect(await usage(await stock.session(founder, free))).toEqual({ used: UNITS, limit: UNITS });
    // Back on the free plan it has what the pool has left, whatever it used of what it paid for.
    await stock.test.db.query("update org set plan = 'free' where id = $1", [paid]);
    await expect(hold(paid)).rejects.toMatchObject({ extra: { used: UNITS, limit: UNITS } });
  });

  test('get_usage counts by operation what this organization did, and no other', async () => {
    const [a, b] = [await found(founder), await found(founder)];
    await spend(a, 3);
    await spend(b, 4);
    const { by_op, used } = await stock.ok<{ used: number; by_op: object[] }>(
      'get_usage',
      {},
      await stock.session(founder, a),
    );
    expect({ by_op, used }).toEqual({ used: 7, by_op: [{ op: 'export_boundary', calls: 1, units: 3 }] });
  });

  test('the limit holds at every moment while organizations come and go', async () => {
    const other = createBilling(stock.test.db);
    const totals: number[] = [];
    let settled = 0;
    await Promise.all(
      Array.from({ length: 5 }, async (_, i) => {
        for (let round = 0; round < 2; round++) {
          const org = await found(founder);
          await Promise.all(
            Array.from({ length: 12 }, async (_, call) => {
              const billing = call % 2 ? other : stock.services.billing;
              try {
                const held = await billing.reserve({
                  org,
                  op: 'export_boundary',
                  units: (call % 3) + 1,
                  deadline: Date.now() + 30_000,
                });
                const now = await other.usage(org);
                if (now) totals.push(now.used + now.reserved);
                if (call % 4 === i % 4) await billing.refund(held);
                else if (await billing.settle(held)) settled += held.units;
              } catch (error) {
                expect(error).toMatchObject({ code: 'quota_exceeded' });
              }
            }),
          );
          await stock.ok('delete_org', {}, await stock.session(founder, org));
        }
      }),
    );
    expect(Math.max(...totals)).toBeLessThanOrEqual(UNITS);
    expect(settled).toBeLessThanOrEqual(UNITS);
    expect(await usage(await stock.session(founder, await personal(founder)))).toEqual({ used: settled, limit: UNITS });
  });

  test('servers of the previous release, which know other names of the tables, share the pool', async () => {
    const previous = createBilling(withFormerNames(stock.test.db));
    const [a, b] = [await found(founder), await found(founder, 'self_hosted')];
    const reserve = (billing: Billing, units: number) =>
      billing.reserve({ org: a, op: 'export_boundary', units, deadline: Date.now() + 30_000 });
    const [settled, refunded, shrunk] = [await reserve(previous, 10), await reserve(previous, 5), await hold(a, 30)];
    expect(await previous.settle(settled)).toBe(true);
    await previous.refund(refunded);
    await stock.services.billing.settle(await previous.shrink(shrunk, 20));
    const lost = await reserve(previous, 20);
    expect(await previous.extend(lost, Date.now() + 60_000)).toBe(true);
    await expect(hold(a)).rejects.toMatchObject({ extra: { used: UNITS, limit: UNITS } });
    await stock.test.db.query("update usage_reservation set expires_at = now() - interval '1 second' where org = $1", [
      a,
    ]);
    expect(await previous.settle(await reserve(previous, 20))).toBe(true);
    expect(await previous.usage(a)).toEqual(await stock.services.billing.usage(a));
    await previous.settle({ id: null, org: b, op: 'export_boundary', units: 3 });
    await previous.settle({ id: null, org: b, op: 'save_file', units: 4 });
    await previous.sweep();
    expect(await previous.usage(b)).toMatchObject({ used: 7, limit: null });
    expect(await stock.services.billing.usage(b)).toMatchObject({ used: 7, limit: null });
  });

  async function personal(person: Person): Promise<string> {
    const { id } = only(
      await stock.test.db.query<{ id: string }>("update org set plan = 'free' where personal_of = $1 returning id", [
        person.id,
      ]),
    );
    return id;
  }
});
