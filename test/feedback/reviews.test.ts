import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { holdsLink } from '../../src/domain/boards/reviews.ts';
import { ops } from '../../src/ops/index.ts';
import { recordingMailer } from '../auth/browser.ts';
import { callerOf, ROUTES } from '../setup/routes.ts';
import { openTestServer, type TestServer } from '../transports/test_server.ts';

let server: TestServer;
let operator: string;
const mailer = recordingMailer();
beforeAll(async () => {
  server = await openTestServer({}, { mailer });
  operator = (await server.key({ operator: true })).key;
});
afterAll(() => server.close());

/** Someone whose account is two days old. */
async function settled(name: string | null = null) {
  const made = await server.key();
  await server.database.db.query("update account set created_at = now() - interval '2 days', name = $2 where id = $1", [
    made.account.id,
    name,
  ]);
  return made;
}
const anHourPasses = () => server.database.db.query("update attempt set ends_at = now() - interval '1 second'");

describe.each(ROUTES)('by %s', (route) => {
  beforeEach(() => server.database.db.query('delete from review'));

  const call = (op: string, input: Record<string, unknown> = {}, key?: string) => {
    const { address } = server.listening;
    return callerOf({ ops, address, host: 'maps.example', ask: server.ask })(route, op, input, key);
  };
  const outcome = async (op: string, input: Record<string, unknown>, key?: string) => {
    const { status, json } = await call(op, input, key);
    return [status, json.code];
  };
  const submit = (key: string, input: Record<string, unknown>) => call('submit_review', input, key);
  const list = async (input: Record<string, unknown> = {}) =>
    (await call('list_reviews', input)).json as {
      items: Record<string, unknown>[];
      total: number;
      average: number | null;
      distribution: Record<string, number>;
    };
  const shownOf = async (id: string) => (await list({ limit: 100 })).items.find((one) => one.id === id);

  test('without any the average is null', async () => {
    expect(await list()).toMatchObject({ items: [], total: 0, average: null, distribution: { '1': 0, '5': 0 } });
  });

  test('is read by its author, with its versions and which of them is published', async () => {
    const { key } = await settled('Emmy Noether');
    expect(await outcome('get_own_review', {}, key)).toEqual([404, 'not_found']);
    expect(await outcome('get_own_review', {})).toEqual([401, 'unauthorized']);
    await submit(key, { rating: 5, title: 'First' });
    await anHourPasses();
    const { json: waiting } = await submit(key, { rating: 4, title: 'See www.example.org', marketing_consent: true });
    const own = await call('get_own_review', {}, key);
    expect([own.status, own.json]).toEqual([
      200,
      {
        ...waiting,
        published_version: 1,
        versions: { items: [expect.anything(), expect.anything()], total: 2, limit: 20, offset: 0 },
      },
    ]);
    expect(own.json).toMatchObject({
      state: 'pending',
      version: 2,
      marketing_consent: true,
      versions: {
        items: [
          { version: 2, rating: 4, title: 'See www.example.org', published_at: null },
          { version: 1, rating: 5, title: 'First', published_at: expect.any(String), display_name: 'Emmy' },
        ],
      },
    });
    const second = await call('get_own_review', { limit: 1, offset: 1 }, key);
    expect(second.json.versions).toMatchObject({ items: [{ version: 1 }], total: 2, limit: 1, offset: 1 });
    await call('publish_review', { id: String(waiting.id) }, operator);
    expect((await call('get_own_review', {}, key)).json).toMatchObject({ state: 'published', published_version: 2 });
    expect(await outcome('get_own_review', {}, (await settled()).key)).toEqual([404, 'not_found']);
    if (route === 'http') expect((await server.ask('GET', '/v1/reviews/me', { key })).status).toBe(405);
  });

  describe('a review', () => {
    test('is published at once, under the first name, and its author is thanked by mail', async () => {
      const { key, account } = await settled('Grace Hopper');
      const reply = await submit(key, { rating: 5, title: 'Exact', body: 'Fits.', marketing_consent: 'true' });
      expect([reply.status, reply.json]).toEqual([
        200,
        expect.objectContaining({ state: 'published', version: 1, display_name: 'Grace', marketing_consent: true }),
      ]);
      const [shown] = (await list()).items;
      expect(shown).toMatchObject({
        id: reply.json.id,
        rating: 5,
        title: 'Exact',
        display_name: 'Grace',
        display_company: null,
        response: null,
      });
      expect(JSON.stringify(await list())).not.toContain(account.email);
      expect(JSON.stringify(await list())).not.toContain(account.id);
      expect(shown).not.toHaveProperty('marketing_consent');
      await server.services.outbox.sendDue();
      expect(mailer.mails.filter(({ to }) => to === account.email)).toHaveLength(1);
    });

    test('of a nameless account is Anonymous; of a young one it waits, and is thanked for as well', async () => {
      const nameless = await settled();
      expect((await submit(nameless.key, { rating: 4 })).json).toMatchObject({
        display_name: 'Anonymous',
        state: 'published',
      });
      const young = await server.key();
      const reply = await submit(young.key, { rating: 1, body: 'Too soon' });
      expect(reply.json.state).toBe('pending');
      expect((await list({ rating: 1 })).total).toBe(0);
      expect((await list()).distribution['1']).toBe(0);
      await server.services.outbox.sendDue();
      expect(mailer.mails.filter(({ to }) => to === young.account.email)).toHaveLength(1);
      expect(JSON.stringify(mailer.mails)).not.toContain('Hello Anonymous');
    });

    test.each(['title', 'body', 'likes', 'dislikes', 'use_case', 'display_name', 'display_company'])(
      'with a link in its %s waits',
      async (field) => {
        const { key } = await settled('Ada');
        const reply = await submit(key, { rating: 5, [field]: 'see www.example.org' });
        expect(reply.json.state).toBe('pending');
        expect((await list()).items).toEqual([]);
      },
    );

    test('waits when the name that it would be shown under is a link', async () => {
      const { key } = await settled('casino.example Smith');
      const reply = await submit(key, { rating: 5, title: 'Good' });
      expect(reply.json).toMatchObject({ display_name: 'casino.example', state: 'pending' });
      expect((await list()).items).toEqual([]);
      // Another name takes its place.
      await anHourPasses();
      expect((await submit(key, { rating: 5, display_name: 'Smith' })).json).toMatchObject({ state: 'published' });
    });

    test('is edited once an hour; earlier versions are kept, and one that waits leaves the published one in place', async () => {
      const { key, account } = await settled('Ada');
      const first = await submit(key, { rating: 3, title: 'First' });
      const { id } = first.json;
      // The first one is not an edit: it can be corrected at once.
      const corrected = await submit(key, { rating: 3, title: 'First, corrected' });
      expect(corrected.json).toMatchObject({ id, version: 2, title: 'First, corrected' });
      const soon = await submit(key, { rating: 1, title: 'Second thoughts' });
      expect([soon.status, soon.json.code]).toEqual([429, 'rate_limited']);
      expect(soon.json.retry_after).toBeGreaterThan(3500);
      expect(soon.json.detail).not.toContain('plan');
      await anHourPasses();
      const linked = await submit(key, { rating: 2, title: 'See www.example.org' });
      expect(linked.json).toMatchObject({ id, version: 3, state: 'pending' });
      expect(await shownOf(id)).toMatchObject({ title: 'First, corrected', rating: 3 });
      const published = await call('publish_review', { id }, operator);
      expect(published.json).toMatchObject({ state: 'published', version: 3 });
      expect(await shownOf(id)).toMatchObject({ title: 'See www.example.org' });
      const rows = await server.database.db.query(
        'select title from review_version where review = $1 order by version',
        [id],
      );
      expect(rows).toEqual([{ title: 'First' }, { title: 'First, corrected' }, { title: 'See www.example.org' }]);
      await server.services.outbox.sendDue();
      expect(mailer.mails.filter(({ to }) => to === account.email)).toHaveLength(3);
    });

    test('that was changed after an operator read it is not published unread', async () => {
      const { key } = await settled('Eve');
      const { id } = (await submit(key, { rating: 5, title: 'See www.example.org' })).json;
      const read = async () => {
        const { items } = (await call('list_reviews', { state: 'pending', limit: 100 }, operator)).json;
        return items.find((one: { id: string }) => one.id === id);
      };
      expect(await read()).toMatchObject({ version: 1, published_at: null });
      await anHourPasses();
      await submit(key, { rating: 5, title: 'Buy at www.example.com' });
      const outdated = await call('publish_review', { id, expected_version: 1 }, operator);
      expect([outdated.status, outdated.json.code]).toEqual([400, 'invalid_input']);
      expect(outdated.json.issues).toMatchObject([{ path: 'expected_version', code: 'outdated' }]);
      const absurd = await call('publish_review', { id, expected_version: 2 ** 31 }, operator);
      expect([absurd.status, absurd.json.code]).toEqual([400, 'invalid_input']);
      expect(await shownOf(id)).toBeUndefined();
      const { version } = await read();
      expect((await call('publish_review', { id, expected_version: version }, operator)).json).toMatchObject({
        state: 'published',
      });
      expect(await shownOf(id)).toMatchObject({ title: 'Buy at www.example.com' });
    });

    test('three submissions at once are the first one and one edit', async () => {
      const { key } = await settled('Twin');
      const replies = await Promise.all([1, 2, 3].map((rating) => submit(key, { rating })));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
      expect((await list()).total).toBe(1);
    });

    test('is checked', async () => {
      const { key } = await settled();
      for (const bad of [
        {},
        { rating: 0 },
        { rating: 6 },
        { rating: 4.5 },
        { rating: '5' },
        { rating: 5, body: 'x'.repeat(5001) },
        { rating: 5, marketing_consent: 'yes' },
        { rating: 5, stars: 5 },
        { rating: 5, title: 'two\nlines' },
        { rating: 5, likes: 'bell \u0007' },
      ]) {
        const what = JSON.stringify(bad).slice(0, 60);
        expect(await outcome('submit_review', bad, key), what).toEqual([400, 'invalid_input']);
      }
      expect(await outcome('submit_review', { rating: 5 })).toEqual([401, 'unauthorized']);
      expect((await submit(key, { rating: 5, marketing_consent: 'false' })).json.marketing_consent).toBe(false);
    });
  });

  describe('the list', () => {
    test('sorts, filters, and gives average and distribution of all', async () => {
      for (const [rating, body] of [
        [5, 'x'.repeat(400)],
        [1, 'x'],
        [4, 'xx'],
        [4, 'xxx'],
      ] as const) {
        await submit((await settled('S')).key, { rating, body });
      }
      const all = await list();
      const by = (items: readonly Record<string, unknown>[]) => items.map(({ rating, body }) => `${rating} ${body}`);
      const long = `5 ${'x'.repeat(400)}`;
      expect([all.total, all.average]).toEqual([4, 3.5]);
      expect(all.distribution).toEqual({ '1': 1, '2': 0, '3': 0, '4': 2, '5': 1 });
      expect(by(all.items)).toEqual(['4 xxx', '4 xx', '1 x', long]);
      expect(by((await list({ sort: 'new' })).items)).toEqual(by(all.items));
      expect(by((await list({ sort: 'helpful' })).items)).toEqual([long, '4 xxx', '4 xx', '1 x']);
      expect(by((await list({ sort: 'lowest' })).items)).toEqual(['1 x', '4 xxx', '4 xx', long]);
      expect(by((await list({ sort: 'highest' })).items)).toEqual([long, '4 xxx', '4 xx', '1 x']);
      const only = await list({ rating: 4 });
      expect(by(only.items)).toEqual(['4 xxx', '4 xx']);
      expect([only.average, only.distribution, only.total]).toEqual([all.average, all.distribution, 2]);
      expect(by((await list({ limit: 2, offset: 1 })).items)).toEqual(['4 xx', '1 x']);
      const past = await list({ offset: 50 });
      expect([past.items, past.total]).toEqual([[], 4]);
      for (const bad of [{ sort: 'best' }, { rating: 6 }, { limit: 0 }, { limit: 101 }, { offset: -1 }])
        expect(await outcome('list_reviews', bad), JSON.stringify(bad)).toEqual([400, 'invalid_input']);
    });

    test('of what waits is for operators, and so are publishing and responding', async () => {
      const waiting = await submit((await server.key()).key, { rating: 2, body: 'I wait' });
      const { id } = waiting.json;
      const { key } = await settled();
      for (const [op, input] of [
        ['list_reviews', { state: 'pending' }],
        ['publish_review', { id }],
        ['respond_to_review', { id, body: 'Thanks' }],
      ] as const) {
        expect(await outcome(op, input, key), op).toEqual([401, 'unauthorized']);
      }
      const pending = await call('list_reviews', { state: 'pending' }, operator);
      expect((pending.json.items as { id: string }[]).map((one) => one.id)).toEqual([id]);
      const answered = await call('respond_to_review', { id, body: 'Thank you' }, operator);
      expect(answered.json.response).toMatchObject({ body: 'Thank you' });
      expect(await shownOf(id)).toBeUndefined();
      await call('publish_review', { id }, operator);
      expect(await shownOf(id)).toMatchObject({ response: { body: 'Thank you' } });
      const taken = await call('respond_to_review', { id, body: '' }, operator);
      expect(taken.json.response).toBeNull();
      expect(await outcome('publish_review', { id: 'rev_none' }, operator)).toEqual([404, 'not_found']);
    });
  });
});

test('the address of one’s own review takes no other method', async () => {
  expect((await server.ask('GET', '/v1/reviews/me')).status).toBe(405);
});

test.each([
  ['see https://example.org', true],
  ['ftp://x', true],
  ['www.example', true],
  ['go to example.org now', true],
  ['ｅｘａｍｐｌｅ．ｏｒｇ', true],
  ['пример.рф', true],
  ['Version 1.2 of 3.4', false],
  ['It works. Very well.', false],
  ['example.\u200borg', true],
  ['exam\u00adple\u2060.\u2060org', true],
  ['e.g. this', false],
  ['a \u200bplain\u200d text', false],
])('%s holds a link: %s', (text, expected) => {
  expect(holdsLink(text)).toBe(expected);
});
