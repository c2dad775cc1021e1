import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { secretKeys, storedSecret } from '../../src/domain/people/secrets.ts';
import { isNative, type TestDatabase, testDatabase } from '../setup/database.ts';
import { openTestServer, type TestServer } from '../transports/test_server.ts';
import { linkFor, ORIGIN, openBrowser, recordingMailer, SESSION, signIn, tokenOf } from './browser.ts';

const mailer = recordingMailer();
const { mails } = mailer;
let server: TestServer;
let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ own: true });
  server = await openTestServer({ BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' }, { mailer, database });
});
afterAll(async () => {
  await server?.close();
  await database?.close();
});

test('keys come from the configuration, else one is made once and kept', async () => {
  const { db } = server.database;
  expect(await secretKeys(db, ['newest key of ours', 'older key of ours'])).toEqual([
    'newest key of ours',
    'older key of ours',
  ]);
  const made = await Promise.all(Array.from({ length: 8 }, () => secretKeys(db, [])));
  expect(new Set(made.flat()).size).toBe(1);
  expect(Buffer.from(defined(defined(made[0])[0]), 'base64url')).toHaveLength(32);
  expect(await secretKeys(db, [])).toEqual(made[0]);
  expect(await storedSecret(db, 'another', () => 'value')).toBe('value');
  expect(await storedSecret(db, 'another', () => 'later')).toBe('value');
});

test('no secret is in a log, a metric, the audit log, or a table, not while its mail waits either', async () => {
  const secrets: string[] = [];
  const browser = openBrowser(server);
  await browser.post('/sign-in', { email: 'quiet@secret.example' });
  secrets.push(browser.cookies.get('__Host-boundary_sign_in') as string);
  const [waiting] = await server.database.db.query<Record<string, unknown>>('select * from outbox');
  expect(waiting).toMatchObject({
    kind: 'sign_in',
    reference: expect.stringMatching(/^lnk_/),
    subject: null,
    text: null,
  });
  expect(await server.database.db.query('select * from mailed_token')).toEqual([]);
  const link = await linkFor(server, mails, 'quiet@secret.example');
  secrets.push(tokenOf(link));
  await browser.get(link);
  await browser.post('/sign-in/confirm', { token: `${tokenOf(link)}x` });
  await browser.post('/sign-in/confirm', { token: tokenOf(link), name: 'Quiet' });
  secrets.push(browser.cookies.get(SESSION) as string);

  const code = (await server.ask('POST', '/v1/auth/device/code', { json: {} })).json as Record<string, string>;
  secrets.push(defined(code.device_code), defined(code.user_code), defined(code.user_code).replace('-', ''));
  await server.ask('POST', '/v1/auth/device/token', { json: { device_code: code.device_code } });
  await browser.get(`/device?code=${code.user_code}`);
  const org = ((await browser.get('/v1/account')).json.org as { id: string }).id;
  await browser.post('/device', { code: defined(code.user_code), org, decision: 'approve' });
  const redeemed = await server.ask('POST', '/v1/auth/device/token', { json: { device_code: code.device_code } });
  secrets.push(redeemed.json.api_key as string);
  await server.ask('POST', '/v1/auth/device/token', { json: { device_code: code.device_code, extra: code.user_code } });

  // Faults of ours tell no more: the statement fails with the secret in its values.
  await server.database.db.query('alter table session rename to session_away');
  server.services.sessions.forget();
  expect((await browser.get('/v1/account')).status).toBe(500);
  expect((await browser.get('/sign-in')).status).toBe(500);
  await server.database.db.query('alter table session_away rename to session');
  await server.database.db.query('alter table sign_in_link rename to link_away');
  await browser.get(link);
  const broken = await openBrowser(server).post('/sign-in', { email: 'quiet@secret.example' });
  expect(broken.status).toBe(500);
  await server.database.db.query('alter table link_away rename to sign_in_link');

  const log = server.logged.join('');
  expect(log).toContain('internal error');
  expect(log).toContain('device_token');
  const metrics = await server.services.metrics.registry.metrics();
  const tables = await server.database.db.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> 'spatial_ref_sys'",
  );
  const rows: string[] = [];
  for (const { name } of tables) {
    const found = await server.database.db.query<{ row: string }>(
      `select row_to_json(t)::text as row from "${name}" t`,
    );
    rows.push(...found.map(({ row }) => `${name} ${row}`));
  }
  expect(rows.some((row) => row.startsWith('session '))).toBe(true);
  expect(rows.some((row) => row.startsWith('audit_log '))).toBe(true);
  expect(secrets.every((secret) => secret?.length >= 8)).toBe(true);
  for (const secret of secrets) {
    expect(log).not.toContain(secret);
    expect(metrics).not.toContain(secret);
    expect(rows.filter((row) => row.includes(secret))).toEqual([]);
  }
  expect(log).not.toContain('quiet@secret.example');
});

test.skipIf(isNative)('no token is in a file of the embedded database, its log of writes included', async () => {
  const browser = openBrowser(server);
  await browser.post('/sign-in', { email: 'disk@secret.example' });
  const link = await linkFor(server, mails, 'disk@secret.example');
  await server.database.db.query('checkpoint');
  const folder = join(server.database.dataDir, 'pg');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const holding = (text: string): string[] =>
    files.map(({ parentPath, name }) => join(parentPath, name)).filter((path) => readFileSync(path).includes(text));
  // The search finds what is there.
  expect(holding('disk@secret.example')).not.toEqual([]);
  expect(holding(tokenOf(link))).toEqual([]);
});

test('people without a name sign reviews as Anonymous, so none is made up for them', async () => {
  const browser = await signIn(server, mails, 'noname@secret.example');
  expect((await browser.get('/v1/account')).json.name).toBeNull();
});
