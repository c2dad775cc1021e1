import { createHash, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { ORIGIN, openBrowser, recordingMailer, signIn } from '../auth/browser.ts';
import { openTestServer, type Reply, type TestServer } from '../transports/test_server.ts';

const REDIRECT = 'http://127.0.0.1:7777/callback';
const CLIENT = { client_name: 'Atlas', redirect_uris: [REDIRECT] };

const mailer = recordingMailer();
let server: TestServer;
let client: string;
beforeAll(async () => {
  server = await openTestServer({ BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' }, { mailer, limits: true });
  client = (await openBrowser(server).ask('POST', '/oauth/reg', { json: CLIENT })).json.client_id as string;
  // It is not one of those that the tests count.
  await server.database.db.query('update oauth_record set network = null');
});
afterEach(() => server.database.db.query('delete from attempt'));
afterAll(() => server.close());

const stored = async (model: string): Promise<number> => {
  const sql = 'select count(*) as n from oauth_record where model = $1';
  return only(await server.database.db.query<{ n: number }>(sql, [model])).n;
};

function authorization(more: Record<string, string> = {}, path = '/oauth/auth'): string {
  const query = {
    client_id: client,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'read',
    code_challenge: createHash('sha256').update('verifier').digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  };
  return `${path}?${new URLSearchParams(query)}`;
}

describe('an endpoint has one spelling', () => {
  test.each([
    '/oauth/REG',
    '/oauth/reg/',
    '/oauth/Reg',
    '/oauth/%72eg',
    '/oauth//reg',
    '/oauth/reg/abc',
    '/oauth/reg;x',
  ])('POST %s stores no client', async (path) => {
    const before = await stored('Client');
    const { status, json } = await openBrowser(server).ask('POST', path, { json: CLIENT });
    expect([status, json.error]).toEqual([404, 'invalid_request']);
    expect(await stored('Client')).toBe(before);
  });

  test.each(['/oauth/AUTH', '/oauth/auth/', '/oauth/Auth', '/oauth/%61uth', '/oauth//auth'])(
    'GET %s stores no request',
    async (path) => {
      const before = await stored('Interaction');
      expect((await openBrowser(server).get(authorization({}, path))).status).toBe(404);
      expect(await stored('Interaction')).toBe(before);
    },
  );

  test.each([
    '/oauth',
    '/oauth/',
    '/oauth/TOKEN',
    '/oauth/token/',
    '/oauth/token/revocation/',
    '/oauth/session/end/confirm',
    '/oauth/me',
  ])('%s does not exist', async (path) => {
    for (const method of ['GET', 'POST']) expect((await openBrowser(server).ask(method, path)).status).toBe(404);
  });
});

test.each([
  ['GET', '/oauth/token', 'POST'],
  ['PUT', '/oauth/reg', 'POST'],
  ['POST', '/oauth/auth', 'GET, HEAD'],
  ['DELETE', '/oauth/interaction/abc', 'GET, HEAD, POST'],
])('%s %s is refused in the form of OAuth', async (method, path, allow) => {
  const { status, headers, json } = await openBrowser(server).ask(method, path);
  expect([status, headers.allow, json.error]).toEqual([405, allow, 'invalid_request']);
});

describe('all requests below /oauth are counted', () => {
  test.each([
    ['POST', '/oauth/token'],
    ['POST', '/oauth/token/revocation'],
    ['GET', '/oauth/jwks'],
    ['GET', '/oauth/auth'],
    ['GET', '/oauth/auth/abc'],
    ['GET', '/oauth/interaction/abc'],
    ['GET', '/oauth/.well-known/openid-configuration'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['POST', '/oauth/REG'],
    ['OPTIONS', '/oauth/token'],
  ])('%s %s', async (method, path) => {
    const browser = openBrowser(server);
    const replies: Reply[] = [];
    for (let i = 0; i < 61; i++) replies.push(await browser.ask(method, path));
    const refused = replies.filter(({ status }) => status === 429);
    // One more minute may begin on the way: then no one is refused, and the count starts again.
    const remaining = replies.map(({ headers }) => Number(headers['ratelimit-remaining']));
    expect(remaining.every((left, i) => i === 0 || left !== remaining[i - 1] || left === 0)).toBe(true);
    if (remaining.every((left, i) => i === 0 || left <= defined(remaining[i - 1]))) {
      expect(refused).toHaveLength(1);
      expect(defined(refused[0]).json).toMatchObject({ error: 'temporarily_unavailable' });
      expect(Number(defined(refused[0]).headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  test('a person who is refused reads a page', async () => {
    const browser = openBrowser(server);
    const ask = () => browser.get('/oauth/interaction/abc', { Accept: 'text/html,*/*;q=0.8' });
    let reply = await ask();
    for (let i = 0; i < 130 && reply.status !== 429; i++) reply = await ask();
    expect(reply.status).toBe(429);
    expect(reply.headers['content-type']).toContain('text/html');
    expect(reply.text).toContain('Too many requests');
  });
});

describe('what strangers store is bounded', () => {
  const put = (model: string, network: string, id = randomBytes(8).toString('hex')) =>
    server.services.oauth.records(model, () => network).upsert(id, { made: id }, 900);
  const of = async (model: string, network: string): Promise<number> => {
    const sql = "select count(*) as n from oauth_record where model = $1 and network = decode($2, 'hex')";
    const hash = createHash('sha256').update(network).digest('hex');
    return only(await server.database.db.query<{ n: number }>(sql, [model, hash])).n;
  };

  test.each([
    ['Interaction', 60],
    ['Client', 100],
  ])('%s: one network has at most %i, the newest', async (model, most) => {
    for (let i = 0; i < most + 5; i++) await put(model, '198.51.100.1', `${model} ${i}`);
    expect(await of(model, '198.51.100.1')).toBe(most);
    const records = server.services.oauth.records(model);
    expect(await records.find(`${model} ${most + 4}`)).toBeDefined();
  });

  test('a request over HTTP is counted to its network, and answering it keeps it there', async () => {
    await openBrowser(server).get(authorization(), { 'X-Forwarded-For': '198.51.100.77' });
    expect(await of('Interaction', '198.51.100.77')).toBe(1);
    await openBrowser(server).ask('POST', '/oauth/reg', {
      json: CLIENT,
      headers: { 'X-Forwarded-For': '198.51.100.77' },
    });
    expect(await of('Client', '198.51.100.77')).toBe(1);
  });

  test.each(['Interaction', 'Client'])(
    '%s: all networks together have at most 5,000; those with the most give way',
    async (model) => {
      const { db } = server.database;
      await db.query('delete from oauth_record where model = $1 and network is not null', [model]);
      await db.query(
        `insert into oauth_record (model, id_hash, payload, expires_at, network)
       select $1, decode(md5($1 || i), 'hex'), '{}'::jsonb, now() + interval '10 minutes', decode(md5('n' || i % 100), 'hex')
       from generate_series(1, 5000) i`,
        [model],
      );
      await put(model, '198.51.100.2');
      expect(await of(model, '198.51.100.2')).toBe(1);
      const { n } = only(
        await db.query<{ n: number }>(
          'select count(*) as n from oauth_record where model = $1 and network is not null',
          [model],
        ),
      );
      expect(n).toBe(4500);
      await db.query('delete from oauth_record where model = $1 and network is not null', [model]);
    },
  );

  test('a client that a person trusts is not dropped for others', async () => {
    const ann = await signIn(server, mailer.mails, 'ann@example.org', 'Ann');
    const org = (await ann.get('/v1/orgs/current')).json.id as string;
    const page = String((await ann.get(authorization())).headers.location).replace(ORIGIN, '');
    const answered = await ann.post(page, { answer: 'allow', scope: 'read', org });
    expect(answered.status, answered.text).toBe(303);
    await server.database.db.query(
      `update oauth_record set network = sha256('198.51.100.3'::bytea) where payload->>'client_id' = $1`,
      [client],
    );
    for (let i = 0; i < 101; i++) await put('Client', '198.51.100.3');
    expect(await server.services.oauth.records('Client').find(client)).toMatchObject({ client_name: 'Atlas' });
  });

  test('a client is small', async () => {
    const contacts = Array.from({ length: 400 }, (_, i) => `${'x'.repeat(50)}${i}@example.org`);
    const reply = await openBrowser(server).ask('POST', '/oauth/reg', { json: { ...CLIENT, contacts } });
    expect([reply.status, reply.json.error]).toEqual([400, 'invalid_client_metadata']);
  });
});

describe('hostile requests are refused, and are not faults of ours', () => {
  afterEach(() => {
    expect(server.logged.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([]);
  });

  test.each(['/oauth/interaction/anything', `/oauth/interaction/${'x'.repeat(100)}`, '/oauth/auth/anything'])(
    '%s: a page that says the request expired',
    async (path) => {
      for (const browser of [openBrowser(server), await signIn(server, mailer.mails, 'eve@example.org')]) {
        const reply = await browser.get(path, { Accept: 'text/html' });
        expect([reply.status, reply.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
        expect(reply.text).toContain('Go back to the app and start again.');
      }
    },
  );

  test('an honest page that waited too long, or is opened in another browser, says what to do', async () => {
    const eve = await signIn(server, mailer.mails, 'eve2@example.org');
    const path = String((await eve.get(authorization())).headers.location).replace(ORIGIN, '');
    expect((await eve.get(path)).text).toContain('Atlas');
    const other = await openBrowser(server).get(path);
    expect([other.status, other.text]).toEqual([400, expect.stringContaining('This request has expired')]);
    await server.database.db.query("update oauth_record set expires_at = now() where model = 'Interaction'");
    for (const reply of [await eve.get(path), await eve.post(path, { answer: 'allow', scope: 'read', org: 'org_x' })]) {
      expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('This request has expired')]);
    }
  });

  test.each(['state', 'scope', 'resource', 'client_id', 'redirect_uri', 'code_challenge', 'prompt', 'nonce', 'x'])(
    'a null in %s',
    async (name) => {
      const before = await stored('Interaction');
      const reply = await openBrowser(server).get(authorization({ [name]: 'a\0b' }));
      expect(reply.status).toBe(400);
      expect(await stored('Interaction')).toBe(before);
    },
  );

  test.each([
    ['a lone surrogate in client_name', { client_name: 'Atlas \uD800' }],
    ['a null in client_name', { client_name: 'Atlas \0' }],
    ['a lone surrogate in a contact', { contacts: ['a\uDFFF@example.org'] }],
    ['a null in an address', { client_uri: 'https://atlas.example/\0' }],
    ['a null in the name of a member', { jwks: { keys: [], 'a\0': 1 } }],
    ['direction marks', { client_name: 'Atlas \u202Eelgoog' }],
  ])('%s', async (_what, more) => {
    const reply = await openBrowser(server).ask('POST', '/oauth/reg', { json: { ...CLIENT, ...more } });
    expect([reply.status, reply.json.error]).toEqual([400, 'invalid_client_metadata']);
  });

  test('a client nested deeper than the stack', async () => {
    const nested = `${'['.repeat(25_000)}${']'.repeat(25_000)}`;
    const reply = await openBrowser(server).ask('POST', '/oauth/reg', {
      body: `{"redirect_uris":["${REDIRECT}"],"jwks":{"keys":${nested}}}`,
      headers: { 'Content-Type': 'application/json' },
    });
    expect(reply.status).toBe(400);
  });

  test.each(['client_id', 'code', 'token', 'refresh_token', 'grant_type', 'resource', 'scope', 'redirect_uri'])(
    'a null in the field %s of a form',
    async (name) => {
      const fields = { grant_type: 'refresh_token', client_id: client, refresh_token: 'x', token: 'x', [name]: 'a\0b' };
      for (const path of ['/oauth/token', '/oauth/token/revocation']) {
        const { status } = await openBrowser(server).post(path, fields);
        expect([200, 400, 401]).toContain(status);
      }
    },
  );
});
