import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { ops } from '../../src/ops/index.ts';
import { callerOf, createdStatus, ROUTES } from '../setup/routes.ts';
import { openTestServer, type TestServer } from '../transports/test_server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const person = (more = {}) => server.key({ plan: 'free', ...more });
type Item = Record<string, unknown> & { id: number; upvotes: number };
const ids = (items: readonly Item[]) => items.map(({ id }) => id);

describe.each(ROUTES)('by %s', (route) => {
  /** Titles tell the routes apart: all share the board. */
  const own = `q${route}q`;
  const call = (op: string, input: Record<string, unknown> = {}, key?: string) => {
    const { address } = server.listening;
    return callerOf({ ops, address, host: 'maps.example', ask: server.ask })(route, op, input, key);
  };
  const outcome = async (op: string, input: Record<string, unknown>, key?: string) => {
    const { status, json } = await call(op, input, key);
    return [status, json.code];
  };
  async function file(
    key: string,
    title: string,
    op: 'request_feature' | 'report_issue' = 'request_feature',
    details = '',
  ) {
    const reply = await call(op, { title, details }, key);
    expect(reply.status, JSON.stringify(reply.json)).toBe(createdStatus(route));
    return reply.json as { item: Item; similar: Item[] };
  }
  async function list(input: Record<string, unknown> = {}, key?: string) {
    const reply = await call('list_feedback', input, key);
    expect(reply.status, JSON.stringify(reply.json)).toBe(200);
    return reply.json as { items: Item[]; total: number; as_of: string };
  }

  describe('filing', () => {
    test('upvotes for the caller, answers with the item and what resembles it, and never says who filed', async () => {
      const ann = await person();
      const title = `Export as TopoJSON with shared borders ${own}`;
      const first = await file(ann.key, title, 'request_feature', 'As the atlases have it.');
      expect(first.item).toMatchObject({ kind: 'feature', status: 'open', upvotes: 1, voted: true, comment_count: 0 });
      const bob = await person();
      const second = await file(bob.key, `Export TopoJSON with shared borders please ${own}`);
      expect(ids(second.similar)).toContain(first.item.id);
      expect(second.similar.find(({ id }) => id === first.item.id)).toMatchObject({ voted: false });
      expect(second.similar.length).toBeLessThanOrEqual(5);
      const alone = await file(bob.key, `${[...own].reverse().join('')} fehlt auf der Karte`, 'report_issue');
      expect(ids(alone.similar)).not.toContain(first.item.id);
      // What it says in its details makes it alike as well.
      const outcome = await file(bob.key, `Wish ${own}`, 'request_feature', title);
      expect(ids(outcome.similar)).toContain(first.item.id);
      for (const { json } of [
        await call('list_feedback', { status: 'all', limit: 100 }),
        await call('get_feedback', { id: first.item.id }, bob.key),
      ]) {
        expect(JSON.stringify(json)).toContain(title);
        expect(JSON.stringify(json)).not.toContain(ann.account.id);
        expect(JSON.stringify(json)).not.toContain(ann.account.email);
      }
    });

    test('needs an account, a line for a title, and plain text', async () => {
      const { key } = await person();
      expect(await outcome('request_feature', { title: 'x' })).toEqual([401, 'unauthorized']);
      for (const bad of [
        {},
        { title: '' },
        { title: 'two\nlines' },
        { title: 'x'.repeat(201) },
        { title: 'x', details: 'x'.repeat(10_001) },
        { title: 'x', details: 'bell \u0007' },
        { title: 'x', author: 'me' },
      ]) {
        const what = JSON.stringify(bad).slice(0, 60);
        expect(await outcome('report_issue', bad, key), what).toEqual([400, 'invalid_input']);
      }
      const kept = await file(key, '<b>Not HTML</b>', 'report_issue', 'https://example.org/\r\n\tindented');
      expect(kept.item).toMatchObject({ title: '<b>Not HTML</b>', details: 'https://example.org/\n\tindented' });
    });

    test('ten a day, both kinds together; a refused one does not count, and nothing of it is kept', async () => {
      const { key } = await person();
      await call('request_feature', {}, key);
      const replies = await Promise.all(
        Array.from({ length: 14 }, (_, i) =>
          call(i % 2 ? 'request_feature' : 'report_issue', { title: `Daily ${i}` }, key),
        ),
      );
      expect(replies.filter(({ status }) => status === createdStatus(route))).toHaveLength(10);
      const refused = replies.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(4);
      const untilMidnight = 86_400 - (Math.floor(Date.now() / 1000) % 86_400);
      expect(Math.abs(defined(refused[0]).json.retry_after - untilMidnight)).toBeLessThan(30);
      expect((await list({ mine: true, status: 'all' }, key)).total).toBe(10);
    });
  });

  describe('listing', () => {
    test('filters by kind, status, words of the title in any language, and the caller', async () => {
      const { key } = await person();
      const { item } = await file(key, `Grenzen von Österreich: Gemeinden fehlen ${own}`, 'report_issue');
      const cjk = (await file(key, `東京都の境界線が古い ${own}`, 'report_issue')).item;
      await file(key, 'Something else entirely');
      expect(ids((await list({ q: `osterreich gemeinden ${own}` })).items)).toEqual([item.id]);
      expect(ids((await list({ q: `GEMEINDEN ${own}` })).items)).toEqual([item.id]);
      expect(ids((await list({ q: `境界 ${own}` })).items)).toEqual([cjk.id]);
      for (const sign of ['%', '_', '\\']) expect((await list({ q: sign })).items, sign).toEqual([]);
      expect((await list({ q: `gemeinden nowhere ${own}` })).total).toBe(0);
      expect((await list({ mine: true, kind: 'feature' }, key)).total).toBe(1);
      expect((await list({ mine: true, kind: 'issue' }, key)).total).toBe(2);
      expect((await list({ mine: true, kind: 'all' }, key)).total).toBe(3);
      expect((await list({ mine: false, kind: 'issue', q: own }, key)).items).toHaveLength(2);
      expect(await outcome('list_feedback', { mine: true })).toEqual([401, 'unauthorized']);
      expect((await list()).items[0]).not.toHaveProperty('voted');
      expect((await list({ q: own }, key)).items[0]).toHaveProperty('voted');
      for (const bad of [{ limit: 101 }, { limit: 0 }, { offset: -1 }, { status: 'closed' }, { sort: 'old' }])
        expect(await outcome('list_feedback', bad)).toEqual([400, 'invalid_input']);
    });

    test('top is by votes, new by time; pages do not shift while items arrive', async () => {
      const { key } = await person();
      const made: number[] = [];
      for (let i = 0; i < 5; i++) made.push((await file(key, `Paged item ${i} ${own}`)).item.id);
      const voter = await person();
      await call('upvote_feedback', { id: made[1] }, voter.key);
      const q = `paged item ${own}`;
      expect(ids((await list({ q })).items)).toEqual([made[1], made[4], made[3], made[2], made[0]]);
      const first = await list({ q, sort: 'new', limit: 2 });
      expect(ids(first.items)).toEqual([made[4], made[3]]);
      await file((await person()).key, `Paged item that arrives meanwhile ${own}`);
      const second = await list({ q, sort: 'new', limit: 2, offset: 2, as_of: first.as_of });
      expect([ids(second.items), second.total, second.as_of]).toEqual([[made[2], made[1]], 5, first.as_of]);
      expect(defined((await list({ q, sort: 'new', limit: 2, offset: 2 })).items[0]).id).toBe(made[3]);
      const past = await list({ q, offset: 50 });
      expect([past.items, past.total]).toEqual([[], 6]);
    });
  });

  describe('voting', () => {
    test('one vote a person, again changes nothing, and it can be taken back', async () => {
      const { item } = await file((await person()).key, `Votes ${own}`);
      const { key } = await person();
      for (const [op, upvotes, voted] of [
        ['upvote_feedback', 2, true],
        ['upvote_feedback', 2, true],
        ['remove_feedback_vote', 1, false],
        ['remove_feedback_vote', 1, false],
      ] as const) {
        expect((await call(op, { id: item.id }, key)).json).toMatchObject({ id: item.id, upvotes, voted });
      }
      expect(await outcome('upvote_feedback', { id: 999_999 }, key)).toEqual([404, 'not_found']);
      expect(await outcome('upvote_feedback', { id: item.id })).toEqual([401, 'unauthorized']);
    });

    test('a hundred at once are counted, each once, and those of an account that ends go with it', async () => {
      const { item } = await file((await person()).key, `Many votes ${own}`);
      const voters = await Promise.all(Array.from({ length: 20 }, () => person()));
      await Promise.all(
        Array.from({ length: 100 }, (_, i) => call('upvote_feedback', { id: item.id }, defined(voters[i % 20]).key)),
      );
      const count = async () => (await call('get_feedback', { id: item.id })).json.upvotes;
      expect(await count()).toBe(21);
      await server.database.db.query('delete from account where id = any ($1::text[])', [
        voters.slice(0, 5).map(({ account }) => account.id),
      ]);
      expect(await count()).toBe(16);
    });
  });

  test('comments are listed in order and paged, at most fifty a day', async () => {
    const { item } = await file((await person()).key, `Discussed ${own}`);
    const { key, account } = await person();
    const { id } = item;
    for (const bad of [{}, { body: '' }, { body: '  ' }, { body: 'x'.repeat(5001) }, { body: '\u0000' }]) {
      expect(await outcome('comment_on_feedback', { id, ...bad }, key)).toEqual([400, 'invalid_input']);
    }
    const made = await call('comment_on_feedback', { id, body: 'First <i>' }, key);
    expect([made.status, made.json]).toEqual([
      createdStatus(route),
      expect.objectContaining({ body: 'First <i>', by_operator: false }),
    ]);
    const statuses = [];
    for (let i = 0; i < 50; i++)
      statuses.push((await call('comment_on_feedback', { id, body: `No ${i}` }, key)).status);
    expect(statuses.filter((status) => status === createdStatus(route))).toHaveLength(49);
    expect(statuses[49]).toBe(429);
    const { json } = await call('get_feedback', { id, limit: 2, offset: 1 });
    expect(json.comment_count).toBe(50);
    expect((await list({ q: own, status: 'all' })).items.find((one) => one.id === id)).toMatchObject({
      comment_count: 50,
    });
    expect(json.comments).toMatchObject({
      items: [{ body: 'No 0' }, { body: 'No 1' }],
      total: 50,
      limit: 2,
      offset: 1,
    });
    expect(JSON.stringify(json)).not.toContain(account.id);
    expect(await outcome('comment_on_feedback', { id: 999_999, body: 'x' }, (await person()).key)).toEqual([
      404,
      'not_found',
    ]);
    expect(await outcome('comment_on_feedback', { id, body: 'x' })).toEqual([401, 'unauthorized']);
  });

  test('statuses are moved by operators, step by step, each with its time', async () => {
    const { key } = await person({ operator: true });
    const { item } = await file((await person()).key, `Moves ${own}`);
    const other = await file((await person()).key, `Original ${own}`);
    const set = (id: number, to: object) => outcome('set_feedback_status', { id, ...to }, key);
    const planned = { id: item.id, status: 'planned' };
    expect(await outcome('set_feedback_status', planned, (await person()).key)).toEqual([401, 'unauthorized']);
    for (const status of ['planned', 'in_progress', 'done', 'open', 'declined', 'open']) {
      expect((await call('set_feedback_status', { id: item.id, status }, key)).json).toMatchObject({ status });
    }
    for (const bad of [
      { status: 'duplicate' },
      { status: 'duplicate', duplicate_of: item.id },
      { status: 'duplicate', duplicate_of: 999_999 },
      { status: 'planned', duplicate_of: other.item.id },
      { status: 'nonsense' },
    ]) {
      expect(await set(item.id, bad), JSON.stringify(bad)).toEqual([400, 'invalid_input']);
    }
    const duplicate = { status: 'duplicate', duplicate_of: other.item.id };
    expect((await call('set_feedback_status', { id: item.id, ...duplicate }, key)).json).toMatchObject(duplicate);
    expect(await set(item.id, { status: 'planned' })).toEqual([400, 'invalid_input']);
    const crossed = { status: 'duplicate', duplicate_of: item.id };
    expect(await set(other.item.id, crossed)).toEqual([400, 'invalid_input']);
    expect(await set(999_999, { status: 'planned' })).toEqual([404, 'not_found']);
    const { json } = await call('get_feedback', { id: item.id });
    const history = json.history as { status: string; set_at: string }[];
    expect(history.map(({ status }) => status)).toEqual([
      'open',
      'planned',
      'in_progress',
      'done',
      'open',
      'declined',
      'open',
      'duplicate',
    ]);
    const times = history.map(({ set_at }) => set_at);
    expect(times).toEqual([...times].sort());
    const q = `moves ${own}`;
    expect(ids((await list({ q })).items)).toEqual([]);
    expect(ids((await list({ q, status: 'duplicate' })).items)).toEqual([item.id]);
    expect(ids((await list({ q, status: 'all' })).items)).toEqual([item.id]);
    // active is what is open, planned or in progress.
    for (const [status, active] of [
      ['planned', true],
      ['in_progress', true],
      ['done', false],
      ['open', true],
      ['declined', false],
    ] as const) {
      await set(other.item.id, { status });
      const found = ids((await list({ q: `original ${own}`, status: 'active' })).items);
      expect(found, status).toEqual(active ? [other.item.id] : []);
    }
  });
});

test('the addresses for filing are not items', async () => {
  expect((await server.ask('GET', '/v1/feedback/features')).status).toBe(405);
  expect((await server.ask('GET', '/v1/feedback/issues')).status).toBe(405);
});
