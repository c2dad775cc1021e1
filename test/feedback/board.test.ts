import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type House, openHouse } from '../transports/house.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const person = (more = {}) => house.key({ plan: 'free', ...more });
type Item = Record<string, unknown> & { id: number; upvotes: number };

async function file(key: string, title: string, kind: 'features' | 'issues' = 'features', details = '') {
  const reply = await house.ask('POST', `/v1/feedback/${kind}`, { key, json: { title, details } });
  expect(reply.status, reply.text).toBe(201);
  return reply.json as { item: Item; similar: Item[] };
}
const list = async (query = '', key?: string) => {
  const reply = await house.ask('GET', `/v1/feedback?${query.replaceAll(' ', '%20')}`, { key });
  expect(reply.status, reply.text).toBe(200);
  return reply.json as { items: Item[]; total: number; as_of: string };
};
const ids = (items: readonly Item[]) => items.map(({ id }) => id);

describe('filing', () => {
  test('upvotes for the caller, answers with the item and what resembles it, and never says who filed', async () => {
    const ann = await person();
    const first = await file(ann.key, 'Export as TopoJSON with shared borders', 'features', 'As the atlases have it.');
    expect(first.item).toMatchObject({ kind: 'feature', status: 'open', upvotes: 1, voted: true, comments: 0 });
    const bob = await person();
    const second = await file(bob.key, 'Export TopoJSON with shared borders please');
    expect(ids(second.similar)).toContain(first.item.id);
    expect(second.similar[0]).toMatchObject({ voted: false });
    expect(ids((await file(bob.key, 'Zürich fehlt auf der Karte', 'issues')).similar)).toEqual([]);
    for (const text of [
      (await house.ask('GET', '/v1/feedback?status=all')).text,
      (await house.ask('GET', `/v1/feedback/${first.item.id}`, { key: bob.key })).text,
    ]) {
      expect(text).not.toContain(ann.account.id);
      expect(text).not.toContain(ann.account.email);
    }
  });

  test('needs an account, a line for a title, and plain text', async () => {
    const { key } = await person();
    const anonymous = await house.ask('POST', '/v1/feedback/features', { json: { title: 'x' } });
    expect([anonymous.status, anonymous.json.code]).toEqual([401, 'unauthorized']);
    for (const bad of [
      {},
      { title: '' },
      { title: 'two\nlines' },
      { title: 'x'.repeat(201) },
      { title: 'x', details: 'x'.repeat(10_001) },
      { title: 'x', details: 'bell \u0007' },
      { title: 'x', author: 'me' },
    ]) {
      const reply = await house.ask('POST', '/v1/feedback/issues', { key, json: bad });
      expect([reply.status, reply.json.code], JSON.stringify(bad).slice(0, 60)).toEqual([400, 'invalid_input']);
    }
    const kept = await file(key, '<b>Not HTML</b>', 'issues', 'https://example.org/\r\n\tindented');
    expect(kept.item).toMatchObject({ title: '<b>Not HTML</b>', details: 'https://example.org/\n\tindented' });
    expect((await house.ask('GET', '/v1/feedback/features')).status).toBe(405);
  });

  test('ten a day, both kinds together; a refused one does not count, and nothing of it is kept', async () => {
    const { key } = await person();
    await house.ask('POST', '/v1/feedback/features', { key, json: {} });
    const replies = await Promise.all(
      Array.from({ length: 14 }, (_, i) =>
        house.ask('POST', `/v1/feedback/${i % 2 ? 'features' : 'issues'}`, { key, json: { title: `Daily ${i}` } }),
      ),
    );
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10);
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    const untilMidnight = 86_400 - (Math.floor(Date.now() / 1000) % 86_400);
    expect(Math.abs((refused[0].json.retry_after as number) - untilMidnight)).toBeLessThan(30);
    expect((await list('mine=true&status=all', key)).total).toBe(10);
  });
});

describe('listing', () => {
  test('filters by kind, status, words of the title in any language, and the caller', async () => {
    const { key } = await person();
    const { item } = await file(key, 'Grenzen von Österreich: Gemeinden fehlen', 'issues');
    const cjk = (await file(key, '東京都の境界線が古い', 'issues')).item;
    await file(key, 'Something else entirely');
    expect(ids((await list('q=osterreich gemeinden')).items)).toEqual([item.id]);
    expect(ids((await list('q=GEMEINDEN')).items)).toEqual([item.id]);
    expect(ids((await list(`q=${encodeURIComponent('境界')}`)).items)).toEqual([cjk.id]);
    expect((await list('q=%25')).items).toEqual([]);
    expect((await list('q=gemeinden nowhere')).total).toBe(0);
    expect((await list('mine=true&kind=feature', key)).total).toBe(1);
    expect((await list('mine=false&kind=issue', key)).items.length).toBeGreaterThanOrEqual(2);
    const mine = await house.ask('GET', '/v1/feedback?mine=true');
    expect([mine.status, mine.json.code]).toEqual([401, 'unauthorized']);
    expect((await list('')).items[0]).not.toHaveProperty('voted');
    expect((await house.ask('GET', '/v1/feedback?limit=101')).status).toBe(400);
  });

  test('top is by votes, new by time; pages do not shift while items arrive', async () => {
    const { key } = await person();
    const made: number[] = [];
    for (let i = 0; i < 5; i++) made.push((await file(key, `Paged item ${i}`)).item.id);
    const voter = await person();
    await house.ask('PUT', `/v1/feedback/${made[1]}/vote`, { key: voter.key });
    expect(ids((await list('q=paged item&sort=top')).items)).toEqual([made[1], made[4], made[3], made[2], made[0]]);
    const first = await list('q=paged item&sort=new&limit=2');
    expect(ids(first.items)).toEqual([made[4], made[3]]);
    await file((await person()).key, 'Paged item that arrives meanwhile');
    const second = await list(`q=paged item&sort=new&limit=2&offset=2&as_of=${encodeURIComponent(first.as_of)}`);
    expect([ids(second.items), second.total, second.as_of]).toEqual([[made[2], made[1]], 5, first.as_of]);
    expect((await list('q=paged item&sort=new&limit=2&offset=2')).items[0].id).toBe(made[3]);
    const past = await list('q=paged item&offset=50');
    expect([past.items, past.total]).toEqual([[], 6]);
  });
});

describe('voting', () => {
  test('one vote a person, again changes nothing, and it can be taken back', async () => {
    const { item } = await file((await person()).key, 'Votes');
    const { key } = await person();
    for (const [method, upvotes, voted] of [
      ['PUT', 2, true],
      ['PUT', 2, true],
      ['DELETE', 1, false],
      ['DELETE', 1, false],
    ] as const) {
      const reply = await house.ask(method, `/v1/feedback/${item.id}/vote`, { key });
      expect(reply.json).toMatchObject({ id: item.id, upvotes, voted });
    }
    expect((await house.ask('PUT', '/v1/feedback/999999/vote', { key })).json.code).toBe('not_found');
    expect((await house.ask('PUT', `/v1/feedback/${item.id}/vote`)).status).toBe(401);
  });

  test('a hundred at once are counted, each once, and those of an account that ends go with it', async () => {
    const { item } = await file((await person()).key, 'Many votes');
    const voters = await Promise.all(Array.from({ length: 20 }, () => person()));
    await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        house.ask('PUT', `/v1/feedback/${item.id}/vote`, { key: voters[i % 20].key }),
      ),
    );
    const count = async () => (await house.ask('GET', `/v1/feedback/${item.id}`)).json.upvotes;
    expect(await count()).toBe(21);
    await house.database.db.query('delete from account where id = any ($1::text[])', [
      voters.slice(0, 5).map(({ account }) => account.id),
    ]);
    expect(await count()).toBe(16);
  });
});

test('comments are listed in order and paged, at most fifty a day', async () => {
  const { item } = await file((await person()).key, 'Discussed');
  const { key } = await person();
  const path = `/v1/feedback/${item.id}/comments`;
  for (const bad of [{}, { body: '' }, { body: '  ' }, { body: 'x'.repeat(5001) }, { body: '\u0000' }]) {
    expect((await house.ask('POST', path, { key, json: bad })).status).toBe(400);
  }
  const made = await house.ask('POST', path, { key, json: { body: 'First <i>' } });
  expect([made.status, made.json]).toEqual([201, expect.objectContaining({ body: 'First <i>', by_operator: false })]);
  const statuses = [];
  for (let i = 0; i < 50; i++)
    statuses.push((await house.ask('POST', path, { key, json: { body: `No ${i}` } })).status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(49);
  expect(statuses[49]).toBe(429);
  const { json } = await house.ask('GET', `/v1/feedback/${item.id}?limit=2&offset=1`);
  expect(json.comments).toMatchObject({ items: [{ body: 'No 0' }, { body: 'No 1' }], total: 50, limit: 2, offset: 1 });
  expect(
    (await house.ask('POST', '/v1/feedback/999999/comments', { key: (await person()).key, json: { body: 'x' } }))
      .status,
  ).toBe(404);
});

describe('statuses', () => {
  const set = (key: string, id: number, json: object) => house.ask('PUT', `/v1/feedback/${id}/status`, { key, json });

  test('are moved by operators, step by step, each with its time', async () => {
    const { key } = await person({ operator: true });
    const { item } = await file((await person()).key, 'Moves');
    const other = await file((await person()).key, 'Original');
    expect((await set((await person()).key, item.id, { status: 'planned' })).json.code).toBe('unauthorized');
    for (const status of ['planned', 'in_progress', 'done', 'open', 'declined', 'open']) {
      expect((await set(key, item.id, { status })).json).toMatchObject({ status });
    }
    for (const bad of [
      { status: 'duplicate' },
      { status: 'duplicate', duplicate_of: item.id },
      { status: 'duplicate', duplicate_of: 999_999 },
      { status: 'planned', duplicate_of: other.item.id },
      { status: 'nonsense' },
    ]) {
      expect((await set(key, item.id, bad)).json.code, JSON.stringify(bad)).toBe('invalid_input');
    }
    const duplicate = { status: 'duplicate', duplicate_of: other.item.id };
    expect((await set(key, item.id, duplicate)).json).toMatchObject(duplicate);
    expect((await set(key, item.id, { status: 'planned' })).json.code).toBe('invalid_input');
    expect((await set(key, other.item.id, { status: 'duplicate', duplicate_of: item.id })).json.code).toBe(
      'invalid_input',
    );
    expect((await set(key, 999_999, { status: 'planned' })).json.code).toBe('not_found');
    const { json } = await house.ask('GET', `/v1/feedback/${item.id}`);
    expect((json.history as { status: string }[]).map(({ status }) => status)).toEqual([
      'open',
      'planned',
      'in_progress',
      'done',
      'open',
      'declined',
      'open',
      'duplicate',
    ]);
    expect(ids((await list('q=moves')).items)).toEqual([]);
    expect(ids((await list('q=moves&status=duplicate')).items)).toEqual([item.id]);
    expect(ids((await list('q=moves&status=all')).items)).toEqual([item.id]);
  });
});
