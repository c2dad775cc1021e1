import { existsSync } from 'node:fs';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMailer, type Mail } from '../../src/adapters/mail.ts';
import { askOwner, OWNER_HINT } from '../../src/cli/server/owner.ts';
import { invalidInput } from '../../src/core/errors.ts';
import { FIRST_OWNER } from '../../src/domain/people/accounts.ts';
import { signInRoutes } from '../../src/transports/pages/sign_in.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { leading } from '../setup/elements.ts';
import { openTestServer, type TestServer } from '../transports/test_server.ts';
import { ORIGIN, openBrowser, recordingMailer, SESSION, signIn } from './browser.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

describe('the owner of the first key', () => {
  const mailer = recordingMailer();
  let testServer: TestServer;
  beforeAll(async () => {
    testServer = await openTestServer({ BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' }, { mailer, database });
  });
  afterAll(() => testServer.close());

  test('says who they are, and signs in to the account that the key is of', async () => {
    const first = await testServer.key({ email: FIRST_OWNER });
    const { accounts } = testServer.services;
    expect(await accounts.changeEmail(FIRST_OWNER, ' Ann@Example.org ')).toEqual({
      id: first.account.id,
      email: 'ann@example.org',
    });
    const browser = await signIn(testServer, mailer.mails, 'ann@example.org', 'Ann');
    const { json } = await browser.get('/v1/account');
    expect(json).toMatchObject({
      id: first.account.id,
      email: 'ann@example.org',
      org: { role: 'owner' },
      operator: true,
    });
    expect((json.org as { name: string }).name).toBe('ann@example.org');
    expect((await testServer.ask('GET', '/v1/account', { key: first.key })).json.email).toBe('ann@example.org');
    const log = await browser.get('/v1/orgs/audit-log?action=account.update');
    expect((log.json.items as object[])[0]).toMatchObject({
      actor: { type: 'system' },
      details: { email: { from: FIRST_OWNER, to: 'ann@example.org' }, operator: true },
    });
  });

  test('takes no address of another account, and signs out whoever was signed in under the old one', async () => {
    const { accounts } = testServer.services;
    const bob = await signIn(testServer, mailer.mails, 'bob@example.org', 'Bob');
    await expect(accounts.changeEmail('ann@example.org', 'bob@example.org')).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(accounts.changeEmail('unknown@example.org', 'new@example.org')).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(accounts.changeEmail('bob@example.org', 'no address')).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect((await bob.get('/v1/account')).status).toBe(200);
    await accounts.changeEmail('bob@example.org', 'robert@example.org');
    expect((await bob.get('/v1/account')).status).toBe(401);
    const renamed = await signIn(testServer, mailer.mails, 'robert@example.org', 'Bob');
    expect((await renamed.get('/v1/account')).json.operator).toBe(false);
  });
});

describe('the page that claims the account of the first key', () => {
  const mailer = recordingMailer();
  let testServer: TestServer;
  let first: Awaited<ReturnType<TestServer['key']>>;
  beforeAll(async () => {
    testServer = await openTestServer({ BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' }, { mailer, database });
    first = await testServer.key({ email: FIRST_OWNER });
  });
  afterAll(() => testServer.close());

  test('takes the key alone, from a page of ours, and says what is wrong with an address', async () => {
    const other = await testServer.key({ email: 'carl@example.org' });
    const made = await testServer.ask('POST', '/v1/api-keys', { key: first.key, json: { name: 'given away' } });
    expect(made.status).toBe(201);
    const browser = openBrowser(testServer);
    for (const key of ['', 'bnd_wrong', `${first.key}x`, other.key, String(made.json.api_key), '<img src=x>']) {
      const refused = await browser.post('/claim', { key, email: 'eve@example.org' });
      expect([refused.status, refused.text.includes('not the first key')], key).toEqual([400, true]);
      expect(refused.text).not.toContain('<img');
    }
    for (const email of ['no address', 'carl@example.org', '"><img src=x>@example.org']) {
      const refused = await browser.post('/claim', { key: first.key, email });
      expect([refused.status, refused.text.includes('<img')], email).toEqual([400, false]);
      expect(refused.text).not.toContain(first.key);
    }
    const fields = { key: first.key, email: 'eve@example.org' };
    const foreign = await browser.post('/claim', fields, { Origin: 'https://evil.example' });
    expect(foreign.status).toBe(401);
    expect(browser.cookies.has(SESSION)).toBe(false);
    expect((await testServer.ask('GET', '/v1/account', { key: first.key })).json.email).toBe(FIRST_OWNER);
  });

  test('gives the account the address, makes it an operator and signs the browser in, once', async () => {
    const browser = openBrowser(testServer);
    expect((await browser.get('/claim')).text).toContain('The first key');
    const claimed = await browser.post('/claim', { key: ` ${first.key} `, email: 'Dora@Example.org' });
    expect([claimed.status, claimed.headers.location]).toEqual([303, `${ORIGIN}/account`]);
    const dora = { id: first.account.id, email: 'dora@example.org' };
    expect((await browser.get('/v1/account')).json).toMatchObject({ ...dora, operator: true });
    // The key may be in programs by now.
    expect((await testServer.ask('GET', '/v1/account', { key: first.key })).json).toMatchObject({
      ...{ email: 'dora@example.org', operator: false },
    });
    const log = await browser.get('/v1/orgs/audit-log?action=account.update');
    expect((log.json.items as object[])[0]).toMatchObject({
      actor: { type: 'system', name: 'claim page' },
      details: { email: { from: FIRST_OWNER, to: 'dora@example.org' }, operator: true },
    });
    const again = openBrowser(testServer);
    expect((await again.post('/claim', { key: first.key, email: 'eve@example.org' })).status).toBe(400);
    expect(again.cookies.has(SESSION)).toBe(false);
    const signed = await signIn(testServer, mailer.mails, 'dora@example.org', '');
    expect((await signed.get('/v1/account')).json.id).toBe(first.account.id);
  });

  test('a network has so many attempts an hour', async () => {
    const browser = openBrowser(testServer);
    for (let i = 0; i < 20; i++) {
      expect((await browser.post('/claim', { key: 'bnd_guess', email: 'eve@example.org' })).status).toBe(400);
    }
    const refused = await browser.post('/claim', { key: 'bnd_guess', email: 'eve@example.org' });
    expect([refused.status, refused.text.includes('Too many attempts')]).toEqual([429, true]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('the question on the terminal', () => {
  async function answer(lines: string): Promise<{ said: string[]; set: string[] }> {
    const input = new PassThrough();
    const said: string[] = [];
    const set: string[] = [];
    input.end(lines);
    await askOwner({ input, say: (text) => void said.push(text) }, async (email) => {
      if (!email.includes('@')) throw invalidInput([{ path: 'email', code: 'x', message: 'must be an email address' }]);
      set.push(email);
      return email;
    });
    return { said, set };
  }

  test('is asked again until the answer is an address', async () => {
    const { said, set } = await answer('nonsense\nann@example.org\nmore\n');
    expect(set).toEqual(['ann@example.org']);
    expect(said.join('\n')).toMatch(/must be an email address[\s\S]*You can now sign in as ann@example\.org\.$/);
  });

  test.each(['\n', '', '  \n'])('is skipped by %j, and then the command is named', async (lines) => {
    const { said, set } = await answer(lines);
    expect([set, said.at(-1)]).toEqual([[], OWNER_HINT]);
  });
});

describe('signing in to a server without a mail server', () => {
  const printed: Mail[] = [];

  async function ask(base: string, headers: Record<string, string> = {}, more: Record<string, string> = {}) {
    const folder = join(database.dataDir, 'mail');
    const mailer = createMailer({
      smtpUrl: null,
      from: 'noreply@maps.example',
      folder,
      onFile: (_path, mail) => void printed.push(mail),
    });
    const testServer = await openTestServer(
      { BASE_URL: base, DATA_DIR: database.dataDir, ...more },
      { mailer, database },
    );
    try {
      await database.db.query('delete from attempt');
      const reply = await testServer.ask('POST', '/sign-in', {
        body: 'email=ann%40example.org',
        headers: { Origin: new URL(base).origin, 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      });
      expect(reply.status, reply.text).toBe(200);
      await testServer.services.outbox.sendDue();
      return reply.text;
    } finally {
      await testServer.close();
    }
  }

  test.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])(
    'at %s the page names the file, and never the link',
    async (base) => {
      const text = await ask(base);
      const [, file] = leading(/<code>([^<]+)<\/code>/.exec(text) ?? [], 2);
      expect(file.startsWith(join(database.dataDir, 'mail'))).toBe(true);
      expect(existsSync(file)).toBe(true);
      expect(text).not.toMatch(/token=/);
      const token = /token=(\S+)/.exec(printed.at(-1)?.text ?? '')?.[1] as string;
      expect(token).toMatch(/^[\w-]{32}$/);
      expect(text).not.toContain(token);
    },
  );

  test.each([
    ['https://maps.example', {}, {}],
    ['http://192.0.2.1:8080', {}, {}],
    ['http://localhost.example:8080', {}, {}],
    ['http://127.0.0.1.example:8080', {}, {}],
    ['http://127.0.0.1:8080', { 'X-Forwarded-For': '192.0.2.1' }, {}],
    ['http://127.0.0.1:8080', { Forwarded: 'for=192.0.2.1' }, {}],
    ['http://127.0.0.1:8080', {}, { SMTP_URL: 'smtp://127.0.0.1:25' }],
  ])('at %s with %j and %j it names none', async (base, headers, more) => {
    const text = await ask(base, headers, more);
    expect(text).toContain('We sent a link to');
    expect(text).not.toContain(database.dataDir);
  });

  test.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['203.0.113.7', false],
    ['::ffff:192.0.2.2', false],
    ['2001:db8::7', false],
  ])('a visitor from %s sees what is for this machine: %s', async (remoteAddress, isOwn) => {
    const server = await openTestServer(
      { BASE_URL: 'http://127.0.0.1:8080', DATA_DIR: database.dataDir },
      { mailer: recordingMailer(), database },
    );
    const show = new Map(signInRoutes(server.services)).get('/sign-in')?.GET;
    const request = new IncomingMessage(Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }));
    request.url = '/sign-in';
    const context = new Koa().createContext(request, new ServerResponse(request));
    await show?.(context);
    expect(String(context.body).includes('/claim')).toBe(isOwn);
    await server.close();
  });
});
