import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { problem } from '../../src/core/errors.ts';
import { MAX_KEYS } from '../../src/domain/people/keys.ts';
import { leading } from '../setup/elements.ts';
import { openTestServer, type Reply, type TestServer } from '../transports/test_server.ts';
import { type Browser, linkFor, ORIGIN, openBrowser, recordingMailer, signIn, tokenOf } from './browser.ts';

const mailer = recordingMailer();
const { mails } = mailer;
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' }, { mailer });
});
afterAll(() => server.close());

let people = 0;
const person = (): Promise<Browser> => signIn(server, mails, `person${++people}@device.example`, 'Dee');
const query = <T = Record<string, unknown>>(sql: string, values: unknown[] = []) =>
  server.database.db.query<T>(sql, values);

interface Code {
  device_code: string;
  user_code: string;
  verification_uri_complete: string;
}
let programs = 0;
async function newCode(name?: string): Promise<Code> {
  const reply = await server.ask('POST', '/v1/auth/device/code', {
    json: name === undefined ? {} : { client_name: name },
    headers: { 'X-Forwarded-For': `203.0.113.${++programs}` },
  });
  expect(reply.status, reply.text).toBe(200);
  return reply.json as unknown as Code;
}
const poll = (code: Code | string): Promise<Reply> =>
  server.ask('POST', '/v1/auth/device/token', {
    json: { device_code: typeof code === 'string' ? code : code.device_code },
  });
/** Lets so many seconds pass for a code. */
const pass = (code: Code, seconds: number) =>
  query(
    `update device_code set polled_at = polled_at - make_interval(secs => $1), expires_at = expires_at - make_interval(secs => $1),
      decided_at = decided_at - make_interval(secs => $1)
     where encode(device_hash, 'hex') = encode(sha256(convert_to($2, 'UTF8')), 'hex')`,
    [seconds, code.device_code],
  );
const orgOf = async (browser: Browser): Promise<string> =>
  ((await browser.get('/v1/account')).json.org as { id: string }).id;
const approve = async (browser: Browser, code: Code): Promise<Reply> =>
  browser.post('/device', { code: code.user_code, org: await orgOf(browser), decision: 'approve' });

describe('the device code', () => {
  test('as it is answered', async () => {
    const reply = await server.ask('POST', '/v1/auth/device/code', { json: { client_name: 'boundary on laptop' } });
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    expect(reply.json).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${ORIGIN}/device`,
      verification_uri_complete: `${ORIGIN}/device?code=${reply.json.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect((await server.ask('POST', '/v1/auth/device/code')).status).toBe(200);
  });

  test('is stored as hashes', async () => {
    const code = await newCode();
    const rows = await query<{ row: string }>('select row_to_json(d)::text as row from device_code d');
    for (const { row } of rows) {
      expect(row).not.toContain(code.device_code);
      expect(row).not.toContain(code.user_code);
      expect(row).not.toContain(code.user_code.replace('-', ''));
    }
  });

  test.each([
    [{ client_name: '' }, 'invalid_input'],
    [{ client_name: 'a\nb' }, 'invalid_input'],
    [{ client_name: 'evil\u202egpj.exe' }, 'invalid_input'],
    [{ client_name: 'x'.repeat(201) }, 'invalid_input'],
    [{ client_name: 5 }, 'invalid_input'],
    [{ name: 'x' }, 'invalid_input'],
    [[], 'invalid_json'],
  ])('%j is %s', async (json, code) => {
    const reply = await server.ask('POST', '/v1/auth/device/code', { json });
    expect(reply.status).toBe(400);
    expect(reply.headers['content-type']).toContain('application/problem+json');
    expect(reply.json.code).toBe(code);
  });

  test('other methods, preflight', async () => {
    for (const path of ['/v1/auth/device/code', '/v1/auth/device/token']) {
      const got = await server.ask('GET', path);
      expect(got.json.code).toBe('method_not_allowed');
      expect(got.headers.allow).toBe('POST');
      const preflight = await server.ask('OPTIONS', path);
      expect(preflight.status).toBe(204);
      expect(preflight.headers['access-control-allow-methods']).toBe('POST');
    }
    expect((await server.ask('POST', '/v1/auth/device/token?device_code=x')).json.code).toBe('invalid_input');
  });
});

describe('the sign-in of a program', () => {
  test('pending, approved, a key that works and is listed, then used', async () => {
    const code = await newCode('boundary on laptop');
    const pending = await poll(code);
    expect(pending.status).toBe(428);
    expect(pending.headers['content-type']).toContain('application/problem+json');
    expect(pending.json).toMatchObject({ code: 'authorization_pending', interval: 5 });

    const browser = await person();
    const page = await browser.get(
      new URL(code.verification_uri_complete).pathname + new URL(code.verification_uri_complete).search,
    );
    expect(page.status).toBe(200);
    for (const shown of [
      'boundary on laptop',
      code.user_code,
      `203.0.113.${programs}`,
      `person${people}@device.example`,
    ]) {
      expect(page.text).toContain(shown);
    }
    expect((await approve(browser, code)).text).toContain('Approved');

    const done = await poll(code);
    expect(done.status, done.text).toBe(200);
    expect(done.headers['cache-control']).toBe('no-store');
    const {
      api_key: key,
      key_id: id,
      org,
    } = done.json as { api_key: string; key_id: string; org: { id: string; slug: string } };
    expect(done.json).toEqual({
      api_key: expect.stringMatching(/^bnd_live_/),
      key_id: expect.stringMatching(/^key_/),
      org: { id: await orgOf(browser), slug: expect.any(String) },
    });
    const account = await server.ask('GET', '/v1/account', { key });
    expect(account.json).toMatchObject({ email: `person${people}@device.example`, org: { id: org.id } });
    const listed = (await browser.get('/v1/api-keys')).json.items as { id: string; name: string }[];
    expect(listed).toMatchObject([{ id, name: 'boundary on laptop' }]);
    const [entry] = await query(
      "select actor_type, actor_name, target_id, target_name from audit_log where action = 'api_key.create' and target_id = $1",
      [id],
    );
    expect(entry).toEqual({
      actor_type: 'person',
      actor_name: 'Dee',
      target_id: id,
      target_name: 'boundary on laptop',
    });

    const again = await poll(code);
    expect(again.status).toBe(400);
    expect(again.json.code).toBe('invalid_grant');
    expect((await approve(browser, code)).status).toBe(404);
  });

  test('polling too fast raises the interval by 5 every time, and waiting does not', async () => {
    const code = await newCode();
    const intervals: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      const { status, json } = await poll(code);
      expect([status, json.code]).toEqual([428, 'authorization_pending']);
      intervals.push([json.interval, json.error]);
    }
    // `error` as RFC 8628 names it.
    expect(intervals).toEqual([
      [5, 'authorization_pending'],
      [10, 'slow_down'],
      [15, 'slow_down'],
      [20, 'slow_down'],
    ]);
    await pass(code, 20);
    expect((await poll(code)).json).toMatchObject({ interval: 20, error: 'authorization_pending' });
    await pass(code, 15);
    expect((await poll(code)).json.interval).toBe(25);
  });

  test('declined', async () => {
    const code = await newCode();
    const browser = await person();
    const reply = await browser.post('/device', { code: code.user_code, decision: 'decline' });
    expect(reply.text).toContain('Declined');
    for (let i = 0; i < 2; i++) {
      const denied = await poll(code);
      expect(denied.status).toBe(400);
      expect(denied.json.code).toBe('access_denied');
    }
    expect((await approve(browser, code)).status).toBe(404);
    expect((await browser.get('/v1/api-keys')).json.items).toEqual([]);
  });

  test('expired: said for a day, and not to be approved any more', async () => {
    const code = await newCode();
    await pass(code, 599);
    expect((await poll(code)).json.code).toBe('authorization_pending');
    await pass(code, 2);
    expect((await poll(code)).json.code).toBe('expired_token');
    const browser = await person();
    expect((await approve(browser, code)).status).toBe(404);
    await pass(code, 86_000);
    const { sweepSignIn } = await import('../../src/domain/people/sign_in.ts');
    await sweepSignIn(server.database.db);
    expect((await poll(code)).json.code).toBe('expired_token');
    await pass(code, 1000);
    await sweepSignIn(server.database.db);
    expect((await poll(code)).json.code).toBe('invalid_grant');
  });

  test('approved at the last moment it can still be fetched, and not for long', async () => {
    const browser = await person();
    const codes = [await newCode(), await newCode()];
    for (const code of codes) {
      await pass(code, 595);
      await approve(browser, code);
    }
    await pass(defined(codes[0]), 30);
    expect((await poll(defined(codes[0]))).status).toBe(200);
    await pass(defined(codes[1]), 601);
    expect((await poll(defined(codes[1]))).json.code).toBe('expired_token');
  });

  test.each(['x', 'A'.repeat(43), 'ü'.repeat(43), 'BCDF-GHJK'])('%s is not a device code', async (code) => {
    const reply = await poll(code);
    expect(reply.status).toBe(400);
    expect(reply.json.code).toBe('invalid_grant');
  });

  test('of twenty that fetch at once one gets the key', async () => {
    const code = await newCode();
    const browser = await person();
    await approve(browser, code);
    const replies = await Promise.all(Array.from({ length: 20 }, () => poll(code)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ json }) => json.code === 'invalid_grant')).toHaveLength(19);
    expect((await browser.get('/v1/api-keys')).json.items).toHaveLength(1);
  });

  test('of two who decide at once one does', async () => {
    const code = await newCode();
    const [one, two] = [await person(), await person()];
    const replies = await Promise.all([approve(one, code), approve(two, code)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404]);
  });
});

describe('the page', () => {
  test('sends to sign-in first, and leads back', async () => {
    const code = await newCode('sent back');
    const browser = openBrowser(server);
    const first = await browser.get(`/device?code=${code.user_code}`);
    expect(first.status).toBe(303);
    const location = new URL(String(first.headers.location));
    expect(location.pathname).toBe('/sign-in');
    const next = location.searchParams.get('next') as string;
    expect(next).toBe(`/device?code=${code.user_code}`);
    await browser.post('/sign-in', { email: 'back@device.example', next });
    const token = tokenOf(await linkFor(server, mails, 'back@device.example'));
    const done = await browser.post('/sign-in/confirm', { token, name: 'Back' });
    expect(done.headers.location).toBe(`${ORIGIN}${next}`);
    expect((await browser.get(next)).text).toContain('sent back');
  });

  test('takes a code in any case, with or without the hyphen, and typed by hand', async () => {
    const code = await newCode('typed');
    const browser = await person();
    expect((await browser.get('/device')).text).toContain('name="code"');
    for (const typed of [
      code.user_code.toLowerCase(),
      code.user_code.replace('-', ''),
      ` ${code.user_code.replace('-', ' ')} `,
    ]) {
      expect((await browser.get(`/device?code=${encodeURIComponent(typed)}`)).text).toContain('typed');
    }
    const wrong = await browser.get('/device?code=AAAA-1111');
    expect(wrong.status).toBe(404);
    expect(wrong.text).toContain('role="alert"');
  });

  test('escapes what a program calls itself', async () => {
    const code = await newCode('<script>alert(1)</script>"\'&');
    const browser = await person();
    const page = await browser.get(`/device?code=${code.user_code}`);
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
    expect(page.text).not.toContain('<script');
    expect((await approve(browser, code)).text).not.toContain('<script');
  });

  test('lets the person choose among their organizations and no other', async () => {
    const browser = await person();
    const stranger = await person();
    const { id } = (await browser.get('/v1/account')).json as { id: string };
    const actor = { type: 'system', id: null, name: 'test', requestId: null, address: null } as const;
    const shared = await server.services.orgs.create(id, { name: 'Shared <org>', plan: 'free' }, () => actor);
    const code = await newCode();
    const page = await browser.get(`/device?code=${code.user_code}`);
    expect(page.text).toContain(`value="${shared.id}"`);
    expect(page.text).toContain('Shared &lt;org&gt;');
    expect(page.text).not.toContain(await orgOf(stranger));
    const foreign = await browser.post('/device', {
      code: code.user_code,
      org: await orgOf(stranger),
      decision: 'approve',
    });
    expect(foreign.status).toBe(401);
    expect((await poll(code)).json.code).toBe('authorization_pending');
    await browser.post('/device', { code: code.user_code, org: shared.id, decision: 'approve' });
    await pass(code, 5);
    expect((await poll(code)).json.org).toEqual({ id: shared.id, slug: shared.slug });
  });

  test('who was removed from the organization in between gets no key', async () => {
    const browser = await person();
    const code = await newCode();
    await approve(browser, code);
    await query('delete from membership where org = $1', [await orgOf(browser)]);
    expect((await poll(code)).json.code).toBe('access_denied');
  });

  test('refuses more keys than a person may have, there and when the key is fetched', async () => {
    const browser = await person();
    const late = await newCode();
    await approve(browser, late);
    for (let i = 0; i < MAX_KEYS; i++) await browser.ask('POST', '/v1/api-keys', { json: {} });
    const code = await newCode();
    const full = await approve(browser, code);
    expect(full.status).toBe(409);
    expect(full.text).toContain(`${MAX_KEYS} active keys`);
    expect((await poll(late)).json.code).toBe('too_many_keys');
    const [key] = leading((await browser.get('/v1/api-keys')).json.items as { id: string }[], 1);
    await browser.ask('DELETE', `/v1/api-keys/${key.id}`);
    expect((await poll(late)).status).toBe(200);
  });

  test.each([[{ decision: 'maybe' }], [{ decision: '' }], [{ decision: 'approve', org: '' }]])(
    '%j decides nothing',
    async (fields) => {
      const browser = await person();
      const code = await newCode();
      const reply = await browser.post('/device', { code: code.user_code, ...fields } as Record<string, string>);
      expect(reply.status).toBe(400);
      expect((await poll(code)).json.code).toBe('authorization_pending');
    },
  );
});

describe('guessing', () => {
  test('a person has twenty tries in ten minutes', async () => {
    const browser = await person();
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++) statuses.push((await browser.get('/device?code=BCDF-GHJK')).status);
    expect(statuses).toEqual([...Array(20).fill(404), 429]);
    // A right code does not help any more.
    const code = await newCode();
    expect((await browser.get(`/device?code=${code.user_code}`)).status).toBe(429);
    expect((await approve(browser, code)).status).toBe(429);
    expect((await poll(code)).json.code).toBe('authorization_pending');
  });

  test('a network has sixty, by however many people', async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.77' };
    const statuses: number[] = [];
    for (let who = 0; who < 4; who++) {
      const browser = await person();
      for (let i = 0; i < 16; i++) statuses.push((await browser.get('/device?code=BCDF-GHJK', headers)).status);
    }
    expect(statuses.filter((status) => status === 404)).toHaveLength(60);
    expect(statuses.filter((status) => status === 429)).toHaveLength(4);
  });

  test('a network gets thirty codes in ten minutes', async () => {
    const replies = await Promise.all(
      Array.from({ length: 32 }, () =>
        server.ask('POST', '/v1/auth/device/code', { json: {}, headers: { 'X-Forwarded-For': '192.0.2.78' } }),
      ),
    );
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(2);
    expect(defined(refused[0]).json.code).toBe('rate_limited');
    expect(Number(defined(refused[0]).headers['retry-after'])).toBe(defined(refused[0]).json.retry_after);
  });

  test('both calls are limited like operations without a key', async () => {
    const refused = problem('rate_limited', 'Too many requests.', { retry_after: 7 });
    const limits = { headers: { 'RateLimit-Limit': '60', 'RateLimit-Remaining': '0' }, refused };
    const { database } = server;
    const limited = await openTestServer({ BASE_URL: ORIGIN }, { database, mailer, admit: () => limits });
    for (const path of ['/v1/auth/device/code', '/v1/auth/device/token']) {
      const reply = await limited.ask('POST', path, { json: {} });
      expect(reply.status).toBe(429);
      expect(reply.headers).toMatchObject({ 'ratelimit-limit': '60', 'retry-after': '7' });
    }
    await limited.close();
  });
});
