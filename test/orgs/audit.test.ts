import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { actorIn } from '../../src/core/access.ts';
import type { Database, Queryable } from '../../src/db/connect.ts';
import { putAudit } from '../../src/domain/people/audit.ts';
import { type OrgHarness, openOrgHarness, peopleServices } from './org_harness.ts';
import { auditedOps, createScenarioFixture, SCENARIOS } from './scenarios.ts';

let stock: OrgHarness;
beforeAll(async () => {
  stock = await openOrgHarness();
});
afterAll(() => stock?.close());

interface Entry {
  id: string;
  org: string;
  action: string;
  actor_type: string;
  actor_id: string;
  actor_name: string;
  target_id: string;
  request_id: string;
  network: string;
  text: string;
}

/** What was logged after an entry, in the order it was written. */
async function since(count: number): Promise<Entry[]> {
  return stock.test.db.query<Entry>(
    `select l.*, row_to_json(l)::text as text from audit_log l order by l.created_at, l.ctid offset $1`,
    [count],
  );
}
const count = async (): Promise<number> =>
  only(await stock.test.db.query<{ n: number }>('select count(*)::integer as n from audit_log')).n;

/** A digest of every table that people's operations write to. */
async function state(): Promise<string> {
  const tables = [
    'account',
    'org',
    'membership',
    'api_key',
    'invite',
    'team',
    'team_member',
    'session',
    'mailed_token',
    'outbox',
    'file',
    'file_share',
  ];
  const parts = await Promise.all(
    [...tables, 'oauth_grant', 'audit_log'].map((table) =>
      stock.test.db.query(`select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from ${table} t`),
    ),
  );
  return JSON.stringify(parts);
}

/** A database whose transactions do all their work and then are not kept. */
function losing(db: Database): Database {
  return {
    ...db,
    kind: db.kind,
    transaction: <T>(work: (tx: Queryable) => Promise<T>): Promise<T> =>
      db.transaction(async (tx) => {
        await work(tx);
        throw new Error('the transaction was lost');
      }),
  };
}

const cases = auditedOps.flatMap((op) => Object.keys(SCENARIOS[op.name] ?? {}).map((title) => [op.name, title]));

describe('every operation that says it is audited', () => {
  const written = new Map<string, Set<string>>();

  test('has a scenario', () => {
    expect(Object.keys(SCENARIOS).sort()).toEqual(auditedOps.map((op) => op.name).sort());
  });

  test.each(cases)('%s: %s writes exactly its entries, in its own transaction', async (name, title) => {
    const op = auditedOps.find((one) => one.name === name);
    const setting = await createScenarioFixture(stock, 'audited');
    const { caller, input, writes, secrets = [] } = await defined(defined(SCENARIOS[name])[title])(setting);
    const requestId = `req-${name}-${title}`;

    const before = await state();
    const lost = peopleServices(losing(stock.test.db), stock.storage);
    if (writes.length > 0) {
      await expect(stock.call(name, input, caller, { requestId, services: lost })).rejects.toThrow('was lost');
      expect(await state()).toBe(before);
    }

    const known = await count();
    const { status, body } = await stock.call(name, input, caller, { requestId });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    const entries = await since(known);
    // Organizations that go with an account are taken in the order of their random ids.
    expect(entries.map((entry) => entry.action).sort()).toEqual([...writes].sort());
    for (const action of writes) expect(op?.audit).toContain(action);
    written.set(name, new Set([...(written.get(name) ?? []), ...writes]));
    for (const entry of entries) {
      const actor = actorIn(entry.org, { caller, requestId, address: '192.0.2.77' });
      expect(entry).toMatchObject({ actor_type: actor.type, actor_id: actor.id, actor_name: actor.name });
      expect(entry.request_id).toBe(requestId);
      expect(entry.network).toBe('192.0.2.0/24');
      expect(entry.target_id).toBeTruthy();
      const hidden = [...secrets, ...Object.values(body).filter((value) => /^bnd_live_/.test(String(value)))];
      for (const secret of hidden.filter((one) => String(one).length > 20)) expect(entry.text).not.toContain(secret);
    }
  });

  test('and every action that one names was written by it', () => {
    for (const op of auditedOps)
      expect([...(written.get(op.name) ?? [])].sort(), op.name).toEqual([...(op.audit ?? [])].sort());
  });
});

describe('the log', () => {
  test('is read by admins, newest first, in pages and by action', async () => {
    const { org, owner, member, ownerCaller: boss } = await createScenarioFixture(stock, 'read');
    interface Page {
      items: { id: string; created_at: string; action: string }[];
      total: number;
      limit: number;
      offset: number;
    }
    const all = await stock.ok<Page>('list_audit_log', { limit: 100 }, boss);
    expect(all.total).toBe(all.items.length);
    expect(all.items.map((entry) => entry.action)).toContain('org.create');
    const times = all.items.map((entry) => entry.created_at);
    expect(times).toEqual([...times].sort().reverse());
    const page = await stock.ok<Page>('list_audit_log', { limit: 2, offset: 1 }, boss);
    expect(page).toEqual({ items: all.items.slice(1, 3), total: all.total, limit: 2, offset: 1 });
    const some = await stock.ok<Page>('list_audit_log', { action: 'member.add' }, boss);
    expect(some).toMatchObject({ total: 1, limit: 20, offset: 0, items: [{ action: 'member.add' }] });
    expect(await stock.ok<Page>('list_audit_log', { action: 'no.such' }, boss)).toMatchObject({ items: [], total: 0 });
    expect((await stock.ok<Page>('list_audit_log', { offset: 100_000 }, boss)).total).toBe(all.total);
    for (const wrong of [{ limit: 101 }, { limit: 0 }, { offset: -1 }, { offset: 100_001 }]) {
      expect((await stock.call('list_audit_log', wrong, boss)).body.code).toBe('invalid_input');
    }
    const refused = await stock.call('list_audit_log', {}, await stock.session(member, org));
    expect(refused.body.code).toBe('unauthorized');
    expect((await stock.ok<Page>('list_audit_log', {}, (await stock.key(owner, org)).caller)).total).toBeGreaterThan(0);
  });

  test('cannot be changed, not even by a statement', async () => {
    await stock.test.db.transaction((tx) =>
      putAudit(tx, { type: 'system', id: null, name: 'test', requestId: null, address: null }, 'org_x', {
        action: 'org.update',
        target: { type: 'org', id: 'org_x', name: 'x' },
      }),
    );
    for (const sql of ["update audit_log set actor_name = 'x'", 'delete from audit_log', 'truncate audit_log']) {
      await expect(stock.test.db.query(sql)).rejects.toThrow('never changed');
    }
  });
});
