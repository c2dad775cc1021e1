import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdsLink } from '../../src/domain/reviews.ts';
import { keepingMailer } from '../auth/browser.ts';
import { type House, openHouse } from '../transports/house.ts';

let house: House;
let operator: string;
const mailer = keepingMailer();
beforeAll(async () => {
  house = await openHouse({}, { mailer });
  operator = (await house.key({ operator: true })).key;
});
afterAll(() => house.close());

/** Somebody whose account is two days old. */
async function settled(name: string | null = null) {
  const made = await house.key();
  await house.database.db.query("update account set created_at = now() - interval '2 days', name = $2 where id = $1", [
    made.account.id,
    name,
  ]);
  return made;
}
const submit = (key: string, json: object) => house.ask('PUT', '/v1/reviews/me', { key, json });
const list = async (query = '') =>
  (await house.ask('GET', `/v1/reviews?${query}`)).json as {
    items: Record<string, unknown>[];
    total: number;
    average: number | null;
    distribution: Record<string, number>;
  };
const anHourPasses = () => house.database.db.query("update attempt set ends_at = now() - interval '1 second'");

test('without any the average is null', async () => {
  expect(await list()).toMatchObject({ items: [], total: 0, average: null, distribution: { '1': 0, '5': 0 } });
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
      response: null,
    });
    expect(JSON.stringify(await list())).not.toContain(account.email);
    expect(shown).not.toHaveProperty('marketing_consent');
    await house.services.outbox.sendDue();
    expect(mailer.mails.filter(({ to }) => to === account.email)).toHaveLength(1);
  });

  test('of a nameless account is Anonymous; of a young one it waits', async () => {
    const nameless = await settled();
    expect((await submit(nameless.key, { rating: 4 })).json).toMatchObject({
      display_name: 'Anonymous',
      state: 'published',
    });
    const young = await house.key();
    const reply = await submit(young.key, { rating: 1, body: 'Too soon' });
    expect(reply.json.state).toBe('pending');
    expect((await list('rating=1')).total).toBe(0);
  });

  test('is edited once an hour; earlier versions are kept, and one that waits leaves the published one in place', async () => {
    const { key, account } = await settled('Ada');
    const first = await submit(key, { rating: 3, title: 'First' });
    const soon = await submit(key, { rating: 1, title: 'Second thoughts' });
    expect([soon.status, soon.json.code]).toEqual([429, 'rate_limited']);
    expect(soon.json.retry_after).toBeGreaterThan(3500);
    await anHourPasses();
    const linked = await submit(key, { rating: 2, title: 'See www.example.org' });
    expect(linked.json).toMatchObject({ id: first.json.id, version: 2, state: 'pending' });
    const shown = (await list()).items.find(({ id }) => id === first.json.id);
    expect(shown).toMatchObject({ title: 'First', rating: 3 });
    const published = await house.ask('POST', `/v1/reviews/${first.json.id}/publish`, { key: operator });
    expect(published.json).toMatchObject({ state: 'published', version: 2 });
    expect((await list()).items.find(({ id }) => id === first.json.id)).toMatchObject({ title: 'See www.example.org' });
    const rows = await house.database.db.query('select version from review_version where review = $1', [first.json.id]);
    expect(rows).toHaveLength(2);
    await house.services.outbox.sendDue();
    expect(mailer.mails.filter(({ to }) => to === account.email)).toHaveLength(2);
  });

  test('two submissions at once are one', async () => {
    const { key } = await settled('Twin');
    const replies = await Promise.all([1, 2, 3].map((rating) => submit(key, { rating })));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 429, 429]);
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
    ]) {
      expect((await submit(key, bad)).json.code, JSON.stringify(bad).slice(0, 60)).toBe('invalid_input');
    }
    expect((await house.ask('PUT', '/v1/reviews/me', { json: { rating: 5 } })).status).toBe(401);
    expect((await submit(key, { rating: 5, marketing_consent: 'false' })).json.marketing_consent).toBe(false);
    expect((await house.ask('GET', '/v1/reviews/me')).status).toBe(405);
  });
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
  ['e.g. this', false],
])('%s holds a link: %s', (text, expected) => {
  expect(holdsLink(text)).toBe(expected);
});

describe('the list', () => {
  test('sorts, filters, and gives average and distribution of all', async () => {
    for (const [rating, body] of [
      [5, 'x'.repeat(400)],
      [1, 'x'],
    ] as const) {
      await submit((await settled('S')).key, { rating, body });
    }
    const all = await list('limit=100');
    const ratings = all.items.map(({ rating }) => rating as number);
    const average = Math.round((100 * ratings.reduce((sum, one) => sum + one, 0)) / ratings.length) / 100;
    expect(all.average).toBe(average);
    expect(all.distribution['5']).toBe(ratings.filter((one) => one === 5).length);
    const only = await list('rating=5');
    expect([only.average, only.distribution, only.total]).toEqual([
      all.average,
      all.distribution,
      all.distribution['5'],
    ]);
    expect((await list('sort=helpful')).items[0].body).toBe('x'.repeat(400));
    const lowest = (await list('sort=lowest&limit=100')).items.map(({ rating }) => rating as number);
    expect(lowest).toEqual([...lowest].sort((a, b) => a - b));
    const highest = (await list('sort=highest&limit=100')).items.map(({ rating }) => rating as number);
    expect(highest).toEqual([...highest].sort((a, b) => b - a));
    const past = await list('offset=50');
    expect([past.items, past.total]).toEqual([[], all.total]);
  });

  test('of what waits is for operators, and so are publishing and responding', async () => {
    const waiting = await submit((await house.key()).key, { rating: 2, body: 'I wait' });
    const id = waiting.json.id as string;
    const { key } = await settled();
    for (const [method, path, json] of [
      ['GET', '/v1/reviews?state=pending', undefined],
      ['POST', `/v1/reviews/${id}/publish`, {}],
      ['PUT', `/v1/reviews/${id}/response`, { body: 'Thanks' }],
    ] as const) {
      expect((await house.ask(method, path, { key, json })).status, path).toBe(401);
    }
    const pending = await house.ask('GET', '/v1/reviews?state=pending&limit=100', { key: operator });
    expect((pending.json.items as { id: string }[]).map((one) => one.id)).toContain(id);
    const answered = await house.ask('PUT', `/v1/reviews/${id}/response`, {
      key: operator,
      json: { body: 'Thank you' },
    });
    expect(answered.json.response).toMatchObject({ body: 'Thank you' });
    await house.ask('POST', `/v1/reviews/${id}/publish`, { key: operator });
    expect((await list('limit=100')).items.find((one) => one.id === id)).toMatchObject({
      response: { body: 'Thank you' },
    });
    const taken = await house.ask('PUT', `/v1/reviews/${id}/response`, { key: operator, json: { body: '' } });
    expect(taken.json.response).toBeNull();
    expect((await house.ask('POST', '/v1/reviews/rev_none/publish', { key: operator })).status).toBe(404);
  });
});
