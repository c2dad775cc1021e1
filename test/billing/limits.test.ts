import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { createLimits, type RateVerdict } from '../../src/domain/billing/limits.ts';
import { openTestServer, type TestServer } from '../transports/test_server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({}, { limits: true });
  await server.database.db.query(
    `insert into plan (id, name, included_units, requests_per_minute, position) values ('slow', 'Slow', 100, 5, 9)`,
  );
});
afterAll(() => server.close());

const MINUTE = 60_000;
const admitted = (answers: readonly RateVerdict[]): number => answers.filter(({ refused }) => refused === null).length;

describe('one process', () => {
  test('admits exactly the limit in a minute, tells what is left, and begins again with the next', async () => {
    let time = 1_000 * MINUTE + 20_000;
    const limits = createLimits(server.database.db, { shared: false, now: () => time });
    const answers = await Promise.all(Array.from({ length: 8 }, () => limits.count('someone', 5)));
    expect(admitted(answers)).toBe(5);
    expect(answers.map(({ headers }) => headers['RateLimit-Remaining'])).toEqual([
      '4',
      '3',
      '2',
      '1',
      '0',
      '0',
      '0',
      '0',
    ]);
    expect(defined(answers[0]).headers).toMatchObject({ 'RateLimit-Limit': '5', 'RateLimit-Reset': '40' });
    expect(defined(answers[7]).refused).toMatchObject({ code: 'rate_limited', extra: { retry_after: 40 } });
    expect(admitted([await limits.count('another', 5)])).toBe(1);
    time += 40_000;
    expect((await limits.count('someone', 5)).headers['RateLimit-Remaining']).toBe('4');
  });

  test.each([-3_600_000, 3_600_000])(
    'a clock that jumps by %d ms refuses no one for longer than a minute',
    async (jump) => {
      let time = 100_000 * MINUTE;
      const limits = createLimits(server.database.db, { shared: false, now: () => time });
      const answers = await Promise.all(Array.from({ length: 8 }, () => limits.count('traveler', 5)));
      expect(admitted(answers)).toBe(5);
      time += jump;
      const { refused, headers } = await limits.count('traveler', 5);
      expect([refused, headers['RateLimit-Remaining'], headers['RateLimit-Reset']]).toEqual([null, '4', '60']);
      await limits.sweep();
      expect(admitted([await limits.count('traveler', 5)])).toBe(1);
    },
  );

  test('a limit that changes within the minute counts what was admitted before', async () => {
    const limits = createLimits(server.database.db, { shared: false, now: () => MINUTE });
    for (let i = 0; i < 5; i++) await limits.count('mover', 5);
    expect(admitted([await limits.count('mover', 5)])).toBe(0);
    const more = await Promise.all(Array.from({ length: 10 }, () => limits.count('mover', 8)));
    expect(admitted(more)).toBe(3);
    expect(admitted([await limits.count('mover', 2)])).toBe(0);
  });

  test('a request that is worth several takes all of them, or none', async () => {
    const limits = createLimits(server.database.db, { shared: false, now: () => MINUTE });
    const left = async (requests: number) => {
      const { headers, refused } = await limits.count('heavy', 10, requests);
      return [refused?.code ?? null, headers['RateLimit-Remaining']];
    };
    expect(await left(7)).toEqual([null, '3']);
    expect(await left(4)).toEqual(['rate_limited', '3']);
    expect(await left(3)).toEqual([null, '0']);
  });

  test('no limit counts nothing and says nothing', async () => {
    const limits = createLimits(server.database.db, { shared: false });
    expect(await limits.admit('anyone', 'self_hosted')).toEqual({ headers: {}, refused: null });
  });

  test("a plan's limit is its row's, noticed within 5 s", async () => {
    let time = 5 * MINUTE;
    const limits = createLimits(server.database.db, { shared: false, now: () => time });
    expect((await limits.admit('a', 'slow')).headers['RateLimit-Limit']).toBe('5');
    await server.database.db.query("update plan set requests_per_minute = 6 where id = 'slow'");
    time += 5001;
    await limits.admit('a', 'slow');
    await expect.poll(async () => (await limits.admit('b', 'slow')).headers['RateLimit-Limit']).toBe('6');
    await server.database.db.query("update plan set requests_per_minute = 5 where id = 'slow'");
  });
});

describe('processes that share a database', () => {
  test.each([7, 60, 1000])('together never pass a limit of %i, and use at least nine tenths of it', async (limit) => {
    const processes = [1, 2, 3].map(() => createLimits(server.database.db, { shared: true }));
    // Not across the end of a minute, which would be two windows.
    const left = MINUTE - (Date.now() % MINUTE);
    if (left < 10_000) await new Promise((resolve) => setTimeout(resolve, left + 100));
    const subject = `shared ${limit}`;
    const answers: RateVerdict[] = [];
    await Promise.all(
      processes.map(async (one) => {
        for (let i = 0; i < limit; i += 10) {
          answers.push(...(await Promise.all(Array.from({ length: 10 }, () => one.count(subject, limit)))));
        }
      }),
    );
    expect(admitted(answers)).toBeLessThanOrEqual(limit);
    expect(admitted(answers)).toBeGreaterThanOrEqual(Math.floor(0.9 * limit));
    expect(admitted([await defined(processes[0]).count('someone else', limit)])).toBe(1);
  });

  test('together never pass the limit with requests that are worth several, and use nine tenths of it', async () => {
    const processes = [1, 2, 3].map(() => createLimits(server.database.db, { shared: true }));
    const left = MINUTE - (Date.now() % MINUTE);
    if (left < 10_000) await new Promise((resolve) => setTimeout(resolve, left + 100));
    const answers: RateVerdict[] = [];
    for (let i = 0; i < 40; i++) {
      answers.push(...(await Promise.all(processes.map((one) => one.count('heavy together', 600, 10)))));
    }
    expect(admitted(answers)).toBeLessThanOrEqual(60);
    expect(admitted(answers)).toBeGreaterThanOrEqual(54);
  });

  test('ask the database seldom', async () => {
    let statements = 0;
    const db = new Proxy(server.database.db, {
      get(target, name) {
        if (name === 'query') statements++;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const limits = createLimits(db, { shared: true });
    for (let i = 0; i < 2000; i++) await limits.count('busy', 3000);
    expect(statements).toBeLessThan(40);
  });
});

describe('over HTTP', () => {
  test('every answer of an operation carries the headers; past the limit all keys of the organization wait', async () => {
    const first = await server.key({ plan: 'slow' });
    const again = await server.services.keys.create({ email: first.account.email });
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) {
      const { key } = i % 2 ? first : again;
      const path = i === 3 ? '/v1/account?nonsense=1' : '/v1/account';
      const answer = await server.ask('GET', path, { key });
      statuses.push(answer.status);
      expect(answer.headers['ratelimit-limit']).toBe('5');
      expect(answer.headers['ratelimit-remaining']).toBe(String(Math.max(0, 4 - i)));
    }
    expect(statuses).toEqual([200, 200, 200, 400, 200, 429, 429]);
    const refused = await server.ask('GET', '/v1/account', { key: first.key });
    expect(refused.json).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(refused.json.retry_after).toBe(Number(refused.headers['retry-after']));
    expect(refused.json.retry_after).toBeGreaterThan(0);
    expect(refused.json.retry_after).toBeLessThanOrEqual(60);
  });

  test('whoever tries keys is counted by network, and networks apart', async () => {
    await server.database.db.query("update plan set requests_per_minute = 4 where id = 'anonymous'");
    const other = await openTestServer({ TRUSTED_PROXIES: '127.0.0.1' }, { limits: true, database: server.database });
    try {
      const ask = (from: string) =>
        other.ask('GET', '/v1/account', {
          key: `bnd_live_${'x'.repeat(36)}`,
          headers: { 'X-Forwarded-For': from },
        });
      const statuses = [];
      for (let i = 0; i < 6; i++) statuses.push((await ask(`2001:db8:0:1::${i}`)).status);
      expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
      expect((await ask('2001:db8:0:2::1')).status).toBe(401);
    } finally {
      await other.close();
      await server.database.db.query("update plan set requests_per_minute = 60 where id = 'anonymous'");
    }
  });
});

test('a subject that is in one batch twice is answered twice', async () => {
  const limits = createLimits(server.database.db, { shared: true });
  // Two limits for one subject, as when its plan has just changed: two windows, asked for together.
  const answers = await Promise.all([limits.count('twice', 100), limits.count('twice', 200), limits.count('other', 5)]);
  expect(admitted(answers)).toBe(3);
});
