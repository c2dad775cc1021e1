import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { only } from '../../src/common/elements.ts';
import { createSessions } from '../../src/domain/people/sessions.ts';
import { openTestServer, type TestServer } from '../transports/test_server.ts';
import { type Browser, linkFor, ORIGIN, openBrowser, recordingMailer, SESSION, signIn, tokenOf } from './browser.ts';

const mailer = recordingMailer();
const { mails } = mailer;
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' }, { mailer });
});
afterEach(() => void vi.useRealTimers());
afterAll(() => server.close());

let people = 0;
const person = (): Promise<Browser> => signIn(server, mails, `person${++people}@session.example`);
const account = async (browser: Browser) =>
  (await browser.get('/v1/account')).json as { id: string; org: { id: string } };
const query = <T = Record<string, unknown>>(sql: string, values: unknown[] = []) =>
  server.database.db.query<T>(sql, values);

describe('a session', () => {
  test('is a random secret of which only the SHA-256 is stored', async () => {
    const [first, second] = [await person(), await person()];
    const cookie = first.cookies.get(SESSION) as string;
    expect(Buffer.from(cookie, 'base64url')).toHaveLength(32);
    expect(cookie).not.toBe(second.cookies.get(SESSION));
    const rows = await query<{ row: string }>('select row_to_json(s)::text as row from session s');
    expect(rows.length).toBeGreaterThan(1);
    for (const { row } of rows) {
      expect(row).not.toContain(cookie);
      expect(row).not.toContain(Buffer.from(cookie, 'base64url').toString('hex'));
    }
  });

  test('works on operations by route and by name, reading and writing', async () => {
    const browser = await person();
    const made = await browser.ask('POST', '/v1/api-keys', { json: { name: 'from the browser' } });
    expect(made.status, made.text).toBe(201);
    const listed = await browser.ask('POST', '/v1/ops/list_api_keys', { json: {} });
    expect((listed.json.items as { name: string }[]).map(({ name }) => name)).toEqual(['from the browser']);
    expect((await browser.get('/v1/ops/list_api_keys')).status).toBe(200);
    const { id } = await account(browser);
    const [entry] = await query(
      "select actor_type, actor_id from audit_log where action = 'api_key.create' and actor_id = $1",
      [id],
    );
    expect(entry).toEqual({ actor_type: 'person', actor_id: id });
  });

  test('gives way to an Authorization header, a bad one included', async () => {
    const browser = await person();
    const other = await server.key();
    const reply = await browser.ask('GET', '/v1/account', { key: other.key });
    expect(reply.json.id).toBe(other.account.id);
    // A key needs no Origin.
    const written = await browser.ask('POST', '/v1/api-keys', {
      key: other.key,
      json: {},
      headers: { Origin: 'https://evil.example' },
    });
    expect(written.status).toBe(201);
    expect((await browser.ask('GET', '/v1/account', { key: `${other.key}x` })).json.code).toBe('invalid_key');
    expect((await browser.ask('GET', '/v1/account', { headers: { Authorization: 'Basic eDp5' } })).json.code).toBe(
      'unauthorized',
    );
  });

  test('that does not exist is anonymous and taken back', async () => {
    for (const value of ['A'.repeat(43), 'short', `"quoted"`, 'x'.repeat(3000)]) {
      const browser = openBrowser(server);
      browser.cookies.set(SESSION, value);
      expect((await browser.get('/v1/pricing')).status).toBe(200);
      expect(browser.cookies.has(SESSION), value.slice(0, 50)).toBe(false);
      browser.cookies.set(SESSION, value);
      expect((await browser.get('/v1/account')).json.code).toBe('unauthorized');
    }
  });

  test('is not taken by the name it has without https', async () => {
    const browser = await person();
    const value = browser.cookies.get(SESSION) as string;
    const reply = await server.ask('GET', '/v1/account', { headers: { Cookie: `boundary_session=${value}` } });
    expect(reply.status).toBe(401);
  });

  test('ends 30 days after it was last used and 90 days after it began', async () => {
    const browser = await person();
    const { id } = await account(browser);
    const age = async (seen: string, began: string) => {
      await query(
        `update session set last_seen_at = now() - interval '${seen}', created_at = now() - interval '${began}' where account = $1`,
        [id],
      );
      server.services.sessions.forget();
      return (
        await server.ask('GET', '/v1/account', { headers: { Cookie: `${SESSION}=${browser.cookies.get(SESSION)}` } })
      ).status;
    };
    expect(await age('29 days 23 hours', '40 days')).toBe(200);
    // It was used: the 30 days begin again.
    const { fresh } = only(
      await query<{ fresh: boolean }>(
        "select last_seen_at > now() - interval '1 minute' as fresh from session where account = $1",
        [id],
      ),
    );
    expect(fresh).toBe(true);
    expect(await age('1 hour', '89 days 23 hours')).toBe(200);
    expect(await age('1 hour', '90 days 1 second')).toBe(401);
    expect(await age('30 days 1 second', '40 days')).toBe(401);
    expect(await age('1 day', '40 days')).toBe(200);
  });

  test('is noted as used at most once an hour', async () => {
    const browser = await person();
    const { id } = await account(browser);
    const seen = async () =>
      only(await query<{ at: string }>('select last_seen_at::text as at from session where account = $1', [id])).at;
    await query("update session set last_seen_at = last_seen_at - interval '50 minutes' where account = $1", [id]);
    const before = await seen();
    server.services.sessions.forget();
    await browser.get('/v1/account');
    expect(await seen()).toBe(before);
    await query("update session set last_seen_at = last_seen_at - interval '11 minutes' where account = $1", [id]);
    server.services.sessions.forget();
    await browser.get('/v1/account');
    expect(await seen()).not.toBe(before);
  });

  test('is another one after every sign-in: no one can plant one', async () => {
    const browser = openBrowser(server);
    const planted = 'B'.repeat(43);
    browser.cookies.set(SESSION, planted);
    await browser.post('/sign-in', { email: 'fixed@session.example' });
    browser.cookies.set(SESSION, planted);
    const token = tokenOf(await linkFor(server, mails, 'fixed@session.example'));
    await browser.post('/sign-in/confirm', { token });
    expect(browser.cookies.get(SESSION)).not.toBe(planted);
    expect((await server.ask('GET', '/v1/account', { headers: { Cookie: `${SESSION}=${planted}` } })).status).toBe(401);

    // A live one of someone else, planted into the victim's browser, ends when the victim signs in.
    const mallory = await person();
    const victim = openBrowser(server);
    victim.cookies.set(SESSION, mallory.cookies.get(SESSION) as string);
    await victim.post('/sign-in', { email: 'victim@session.example' });
    await victim.post('/sign-in/confirm', { token: tokenOf(await linkFor(server, mails, 'victim@session.example')) });
    expect((await victim.get('/v1/account')).json.email).toBe('victim@session.example');
    expect((await mallory.get('/v1/account')).status).toBe(401);
  });
});

describe('requests that change something', () => {
  const forged: [string, Record<string, string>][] = [
    ['another origin', { Origin: 'https://evil.example' }],
    ['a subdomain', { Origin: 'https://x.maps.example' }],
    ['a longer name', { Origin: 'https://maps.example.evil.example' }],
    ['another scheme', { Origin: 'http://maps.example' }],
    ['another port', { Origin: 'https://maps.example:444' }],
    ['a sandboxed frame', { Origin: 'null' }],
    ['another origin that claims to be the same', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'same-origin' }],
    ['another site, without Origin', { Origin: '', 'Sec-Fetch-Site': 'cross-site' }],
    ['the same site, without Origin', { Origin: '', 'Sec-Fetch-Site': 'same-site' }],
    ['nothing that says where from', { Origin: '' }],
  ];
  const bare = (headers: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));

  test.each(forged)('from %s are refused', async (_name, headers) => {
    const browser = await person();
    const cookie = { Cookie: `${SESSION}=${browser.cookies.get(SESSION)}` };
    const write = (path: string, body: string, type: string) =>
      server.ask('POST', path, { body, headers: { ...bare(headers), ...cookie, 'Content-Type': type } });
    const op = await write('/v1/api-keys', '{"name":"forged"}', 'application/json');
    expect(op.status).toBe(401);
    expect(op.json.code).toBe('unauthorized');
    expect((await write('/v1/ops/create_api_key', '{}', 'application/json')).status).toBe(401);
    const form = 'application/x-www-form-urlencoded';
    for (const path of ['/sign-out', '/sign-in', '/sign-in/confirm', '/device']) {
      expect((await write(path, 'everywhere=yes&email=a@b.example', form)).status, path).toBe(401);
    }
    expect((await browser.get('/v1/api-keys')).json.items).toEqual([]);
  });

  test('from a page of ours are taken, by Origin or by Sec-Fetch-Site', async () => {
    const browser = await person();
    const cookie = { Cookie: `${SESSION}=${browser.cookies.get(SESSION)}` };
    const own: Record<string, string>[] = [{ Origin: ORIGIN }, { 'Sec-Fetch-Site': 'same-origin' }];
    for (const headers of own) {
      const reply = await server.ask('POST', '/v1/api-keys', { json: {}, headers: { ...headers, ...cookie } });
      expect(reply.status).toBe(201);
    }
  });

  test('no other site may read with the session: CORS is without credentials', async () => {
    const browser = await person();
    const reply = await browser.get('/v1/account', { Origin: 'https://evil.example' });
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
    expect(reply.headers['cache-control']).toContain('private');
  });
});

describe('signing out', () => {
  test('ends this session alone', async () => {
    const here = await person();
    const there = await signIn(server, mails, `person${people}@session.example`);
    const cookie = here.cookies.get(SESSION);
    const reply = await here.post('/sign-out', {});
    expect(reply.status).toBe(303);
    expect(here.cookies.has(SESSION)).toBe(false);
    expect((await server.ask('GET', '/v1/account', { headers: { Cookie: `${SESSION}=${cookie}` } })).status).toBe(401);
    expect((await there.get('/v1/account')).status).toBe(200);
  });

  test('everywhere ends all of the person and of no one else', async () => {
    const other = await person();
    const here = await person();
    const there = await signIn(server, mails, `person${people}@session.example`);
    expect((await here.post('/sign-out', { everywhere: 'yes' })).status).toBe(303);
    expect((await there.get('/v1/account')).status).toBe(401);
    expect((await other.get('/v1/account')).status).toBe(200);
  });

  test('a GET signs no one out', async () => {
    const browser = await person();
    expect((await browser.get('/sign-out')).status).toBe(405);
    expect((await browser.get('/v1/account')).status).toBe(200);
  });
});

describe('where a session acts', () => {
  test('it moves when its person leaves, and stays signed in', async () => {
    const browser = await person();
    const { id, org } = await account(browser);
    const { orgs } = server.services;
    const actor = { type: 'system', id: null, name: 'test', requestId: null, address: null } as const;
    const shared = await orgs.create(id, { name: 'Shared', plan: 'free' }, () => actor);
    const session = only(await query<{ id: string }>('select id from session where account = $1', [id]));
    expect(await server.services.sessions.switchOrg(session.id, shared.id)).toBe(true);
    expect((await account(browser)).org.id).toBe(shared.id);
    await server.database.db.transaction((tx) => server.services.sessions.leaveOrg(tx, id, shared.id));
    expect((await account(browser)).org.id).toBe(org.id);
    // Not into an organization of others.
    const stranger = await account(await person());
    expect(await server.services.sessions.switchOrg(session.id, stranger.org.id)).toBe(false);
    expect((await account(browser)).org.id).toBe(org.id);
  });

  test('a membership that is gone is not a role, even before the session moved', async () => {
    const browser = await person();
    const { id } = await account(browser);
    await query('delete from membership where account = $1', [id]);
    server.services.sessions.forget();
    const keys = await browser.get('/v1/api-keys');
    expect(keys.json.code).toBe('unauthorized');
    expect(keys.json.detail).toContain('in none');
  });
});

describe('the cache of sessions', () => {
  test('asks the database once in 5 seconds, and notices at once what any process changes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const start = Date.now();
    let asked = 0;
    const { db } = server.database;
    const counting = Object.create(db, {
      query: {
        value: (sql: string, values: unknown[]) => {
          asked++;
          return db.query(sql, values);
        },
      },
    }) as typeof db;
    const [one, another] = [createSessions(counting), createSessions(db)];
    const { id } = await account(await person());
    const { cookie, id: session } = await another.start(db, id, null);
    for (let i = 0; i < 5; i++) expect((await one.authenticate(cookie))?.account?.id).toBe(id);
    expect(asked).toBe(1);
    vi.setSystemTime(start + 5001);
    expect((await one.authenticate(cookie))?.account?.id).toBe(id);
    expect(asked).toBe(2);
    // Ended elsewhere: announced to all.
    await another.end(session);
    expect(await one.authenticate(cookie)).toBeNull();

    const next = await one.start(db, id, null);
    expect(await one.authenticate(next.cookie)).not.toBeNull();
    await one.endAll(db, id);
    expect(await one.authenticate(next.cookie)).toBeNull();
    // What cannot be a cookie costs no query.
    asked = 0;
    expect(await one.authenticate('x')).toBeNull();
    expect(asked).toBe(0);
  });
});
