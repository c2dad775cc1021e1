import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import type { Caller } from '../../src/core/access.ts';
import { createKeys } from '../../src/domain/people/keys.ts';
import { leading } from '../setup/elements.ts';
import { type OrgHarness, openOrgHarness, type Person } from './org_harness.ts';

interface Entry {
  id: string;
  name: string;
  created_by_key: string | null;
  revoked_at: string | null;
}
interface Page {
  items: Entry[];
  total: number;
  limit: number;
  offset: number;
}
interface Made extends Entry {
  api_key: string;
}
interface Audited {
  action: string;
  target: { id: string };
  actor: { type: string; id: string };
  details: Record<string, unknown>;
}

let stock: OrgHarness;
let owner: Person;
let boss: Caller;
let org: string;
let count = 0;
beforeAll(async () => {
  stock = await openOrgHarness();
});
afterAll(() => stock?.close());
beforeEach(async () => {
  owner = await stock.person(`keys${++count}@example.org`, 'Keyholder');
  org = await stock.org(owner, `Keys ${count}`);
  boss = await stock.session(owner, org);
});

const callerOf = (secret: string): Promise<Caller> => stock.services.keys.authenticate(secret);
const works = (secret: string): Promise<boolean> =>
  createKeys(stock.test.db)
    .authenticate(secret)
    .then(
      () => true,
      () => false,
    );
/** A key made by a caller; by a key when the caller sends one. */
async function make(caller: Caller, name: string): Promise<Made & { caller: Caller }> {
  const made = await stock.ok<Made>('create_api_key', { name }, caller);
  return { ...made, caller: await callerOf(made.api_key) };
}
const log = async (action: string): Promise<Audited[]> =>
  (await stock.ok<{ items: Audited[] }>('list_audit_log', { action, limit: 100 }, boss)).items;

describe('a key that was made by a key', () => {
  test('says so where it is made, in lists and in the audit log, which names the person', async () => {
    const parent = await make(boss, 'parent');
    const child = await make(parent.caller, 'child');
    expect(parent.created_by_key).toBeNull();
    expect(child.created_by_key).toBe(parent.id);
    const { items } = await stock.ok<Page>('list_api_keys', {}, boss);
    expect(items.map(({ name, created_by_key }) => [name, created_by_key])).toEqual([
      ['child', parent.id],
      ['parent', null],
    ]);
    const [ofChild, ofParent] = leading(await log('api_key.create'), 2);
    expect(ofChild).toMatchObject({
      target: { id: child.id },
      actor: { type: 'api_key', id: parent.id },
      details: { created_by_key: parent.id, person: { id: owner.id, name: 'Keyholder' } },
    });
    expect(ofParent.details).not.toHaveProperty('created_by_key');
  });

  test('is revoked with its parent, which says so, unless it is asked to stay, each in the log', async () => {
    const parent = await make(boss, 'parent');
    const child = await make(parent.caller, 'child');
    const grandchild = await make(child.caller, 'grandchild');
    const other = await make(boss, 'other');
    expect(await stock.ok('revoke_api_key', { id: child.id, cascade: false }, boss)).toEqual({
      id: child.id,
      deleted: true,
      also_revoked: [],
    });
    expect(await Promise.all([parent, child, grandchild, other].map(({ api_key }) => works(api_key)))).toEqual([
      true,
      false,
      true,
      true,
    ]);
    const answer = await stock.ok('revoke_api_key', { id: parent.id }, boss);
    expect(answer).toEqual({ id: parent.id, deleted: true, also_revoked: [grandchild.id] });
    expect(await Promise.all([parent, grandchild, other].map(({ api_key }) => works(api_key)))).toEqual([
      false,
      false,
      true,
    ]);
    const entries = await log('api_key.revoke');
    expect(entries).toHaveLength(3);
    const of = (id: string) => entries.find(({ target }) => target.id === id)?.details;
    expect(of(grandchild.id)).toMatchObject({ revoked_with: parent.id });
    expect(of(parent.id)).not.toHaveProperty('revoked_with');
  });

  test('is revoked also when its parent was revoked before', async () => {
    const parent = await make(boss, 'parent');
    const child = await make(parent.caller, 'child');
    await stock.ok('revoke_api_key', { id: parent.id, cascade: false }, boss);
    expect((await stock.call('revoke_api_key', { id: parent.id, cascade: false }, boss)).status).toBe(404);
    await stock.ok('revoke_api_key', { id: parent.id, cascade: 'true' }, boss);
    expect(await works(child.api_key)).toBe(false);
    expect((await stock.call('revoke_api_key', { id: parent.id, cascade: true }, boss)).status).toBe(404);
  });

  test('is not reached by the cascade of another person who is not an admin', async () => {
    const member = await stock.person(`member${++count}@example.org`);
    await stock.join(org, owner, member, 'member');
    const parent = await make(boss, 'parent');
    const child = await make(parent.caller, 'child');
    const theirs = await stock.session(member, org);
    expect((await stock.call('revoke_api_key', { id: parent.id, cascade: true }, theirs)).status).toBe(404);
    expect(await works(child.api_key)).toBe(true);
  });

  test('is not made by a key that another process has revoked', async () => {
    const parent = await make(boss, 'parent');
    // A cache of another process: this one still believes in the key.
    await createKeys(stock.test.db).revoke(
      parent.id,
      { account: owner.id, org, role: 'owner' },
      { type: 'person', id: owner.id, name: 'x', requestId: null, address: null },
    );
    const refused = await stock.call('create_api_key', { name: 'late' }, parent.caller);
    expect(refused).toMatchObject({ status: 401, body: { code: 'invalid_key' } });
    expect((await stock.ok<Page>('list_api_keys', {}, boss)).items).toEqual([]);
  });

  test('never outlives a cascade, however many are made meanwhile', async () => {
    for (let round = 0; round < 5; round++) {
      const parent = await make(boss, 'parent');
      const child = await make(parent.caller, 'child');
      const outcomes = await Promise.all([
        ...Array.from({ length: 6 }, (_, i) =>
          stock.call('create_api_key', { name: 'racing' }, (i % 2 ? parent : child).caller),
        ),
        stock.call('revoke_api_key', { id: parent.id, cascade: true }, boss),
        ...Array.from({ length: 4 }, (_, i) =>
          stock.call('create_api_key', { name: 'racing' }, (i % 2 ? parent : child).caller),
        ),
      ]);
      for (const { status, body } of outcomes) {
        if (status >= 300) expect(body.code).toBe('invalid_key');
      }
      expect((await stock.ok<Page>('list_api_keys', {}, boss)).items).toEqual([]);
    }
  });
});

test('a key is refused here from the moment that its end was answered, however many use it', async () => {
  const key = await make(boss, 'raced');
  let ended = false;
  let refused = 0;
  const use = async (): Promise<void> => {
    while (refused < 50) {
      const after = ended;
      const outcome = await callerOf(key.api_key).then(
        () => 'works',
        (error: { code: string }) => error.code,
      );
      if (after) expect(outcome).toBe('invalid_key');
      if (outcome !== 'works') refused++;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all([
    ...Array.from({ length: 8 }, use),
    stock.ok('revoke_api_key', { id: key.id }, boss).then(() => {
      ended = true;
    }),
  ]);
  expect(ended).toBe(true);
});

test('lists of keys show revoked ones on request, in pages', async () => {
  const [a, b, c] = [await make(boss, 'a'), await make(boss, 'b'), await make(boss, 'c')];
  await stock.ok('revoke_api_key', { id: b.id }, boss);
  const active = await stock.ok<Page>('list_api_keys', {}, boss);
  expect(active).toMatchObject({ total: 2, offset: 0 });
  expect(active.items.map(({ id, revoked_at }) => [id, revoked_at])).toEqual([
    [c.id, null],
    [a.id, null],
  ]);
  const all = await stock.ok<Page>('list_api_keys', { revoked: 'true' }, boss);
  expect(all.items.map(({ id }) => id)).toEqual([c.id, b.id, a.id]);
  expect(defined(all.items[1]).revoked_at).toMatch(/^\d{4}-.*Z$/);
  const page = await stock.ok<Page>('list_api_keys', { revoked: true, limit: 1, offset: 1 }, boss);
  expect(page).toEqual({ items: [all.items[1]], total: 3, limit: 1, offset: 1 });
  expect(await stock.ok<Page>('list_api_keys', { offset: 5 }, boss)).toMatchObject({ items: [], total: 2 });
});

test('get_account tells the role a call acts with beside that of the person', async () => {
  const roles = async (caller: Caller) => {
    const account = await stock.ok<{ org: { role: string; effective_role: string } }>('get_account', {}, caller);
    return [account.org.role, account.org.effective_role];
  };
  expect(await roles(boss)).toEqual(['owner', 'owner']);
  expect(await roles((await make(boss, 'key')).caller)).toEqual(['owner', 'admin']);
  expect(await roles(await stock.token(owner, org, 'read'))).toEqual(['owner', 'viewer']);
});
