import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeLogins, credentialsPath, readLogins, serverName } from '../../src/cli/credentials.ts';
import { chooseTarget, type TargetFlags } from '../../src/cli/target.ts';
import { defined } from '../../src/common/elements.ts';
import { loadConfig } from '../../src/config.ts';
import { acquireDataDir } from '../../src/db/lock.ts';
import { type Browser, ORIGIN, recordingMailer, signIn } from '../auth/browser.ts';
import { openTestServer, type TestServer } from '../transports/test_server.ts';
import { type Machine, openMachine, type Running } from './program.ts';

const mailer = recordingMailer();
let testServer: TestServer;
let machine: Machine;
let browser: Browser;
let org: { id: string; slug: string };
beforeAll(async () => {
  testServer = await openTestServer({ BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' }, { mailer });
  machine = openMachine();
  browser = await signIn(testServer, mailer.mails, 'dee@cli.example', 'Dee');
  const { id, slug } = (await browser.get('/v1/account')).json.org as typeof org;
  org = { id, slug };
});
afterAll(async () => {
  machine?.remove();
  await testServer?.close();
});

const file = (): string => machine.path('config', 'boundary', 'credentials.json');
const login = (key = 'bnd_x') => ({ api_key: key, key_id: 'key_1', org: { id: 'org_1', slug: 'a' } });

/** Decides on the code that a login shows. */
async function decide(session: Running, decision: 'approve' | 'decline'): Promise<void> {
  const said = await session.says(/shows ([A-Z]{4}-[A-Z]{4}):\n.*\n/);
  const page = await browser.post('/device', { code: defined(said[1]), org: org.id, decision });
  expect(page.status).toBe(200);
}

describe('signing in', () => {
  test('shows a link, waits, keeps a key that only its owner reads; whoami, an operation, logout', async () => {
    const { address } = testServer.listening;
    const session = machine.start(['login', address]);
    await decide(session, 'approve');
    const done = await session.ended;
    expect([done.exit, done.out]).toEqual([0, `Signed in to ${address} in ${org.slug}.\n`]);
    expect(done.err).toMatch(
      /^Open this link and check that it shows [A-Z]{4}-[A-Z]{4}:\n {2}https:\/\/maps\.example\/device\?code=/,
    );
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(file(), '..')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(file(), '..'))).toEqual(['credentials.json']);
    const saved = JSON.parse(readFileSync(file(), 'utf8'));
    expect(saved).toEqual({
      current: address,
      servers: {
        [address]: { api_key: expect.stringMatching(/^bnd_live_/), key_id: expect.stringMatching(/^key_/), org },
      },
    });
    expect(done.out + done.err).not.toContain(saved.servers[address].api_key);
    // It asked once, after the pause that the server sets, and got the key.
    expect(testServer.logged.filter((line) => line.includes('"op":"device_token"'))).toHaveLength(1);

    const me = await machine.run(['whoami']);
    expect([me.exit, me.err]).toEqual([0, '']);
    expect(me.out).toBe(
      `server ${address} (signed in)\nas Dee <dee@cli.example>\nin ${org.slug} as owner, plan free\nwith ${saved.servers[address].key_id} (from signing in)\n`,
    );
    const json = JSON.parse((await machine.run(['whoami', '--json'])).out);
    expect(json).toMatchObject({
      place: { kind: 'server', url: address, because: 'login', key: 'login' },
      account: { email: 'dee@cli.example', org: { slug: org.slug } },
      operator: false,
    });

    const keys = await machine.run(['list-api-keys', '--json']);
    expect(JSON.parse(keys.out).items.map(({ id }: { id: string }) => id)).toContain(json.account.key_id);

    const out = await machine.run(['logout']);
    expect([out.exit, out.out]).toEqual([0, `Signed out of ${address}.\n`]);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ current: null, servers: {} });
    const gone = await testServer.ask('GET', '/v1/account', { key: saved.servers[address].api_key });
    expect([gone.status, gone.json.code]).toEqual([401, 'invalid_key']);
    expect((await machine.run(['logout'])).err).toContain('You are not signed in.');
  });

  test('declined: access_denied, nothing is kept', async () => {
    const session = machine.start(['login', testServer.listening.address, '--no-browser']);
    await decide(session, 'decline');
    const done = await session.ended;
    expect([done.exit, done.out]).toEqual([3, '']);
    expect(done.err).toMatch(/error: access_denied: /);
    expect(readLogins(file()).servers).toEqual({});
  });

  test('Ctrl-C while it waits ends it', async () => {
    const session = machine.start(['login', testServer.listening.address]);
    await session.says(/Open this link/);
    session.child.kill('SIGINT');
    const done = await session.ended;
    expect([done.exit, done.out]).toEqual([130, '']);
    expect(readdirSync(join(file(), '..'))).toEqual(['credentials.json']);
  });
});

describe('whoami without a key', () => {
  test('names the server and says how to sign in', async () => {
    const { address } = testServer.listening;
    const me = await machine.run(['whoami', '--url', address]);
    expect([me.exit, me.out]).toEqual([3, `server ${address} (--url)\n`]);
    expect(me.err).toBe(`error: unauthorized: You are not signed in. Run: boundary login ${address}\n`);
  });

  test('on this machine it is the operator; nothing is made', async () => {
    const me = await machine.run(['whoami', '--local']);
    expect([me.exit, me.out]).toEqual([
      0,
      `the database ${machine.path('data')} (--local)\nas the operator of this machine\n`,
    ]);
    const search = await machine.run(['search-boundaries', 'x']);
    expect([search.exit, search.out]).toEqual([4, '']);
    expect(search.err).toContain('There is no database in');
    expect(readdirSync(machine.folder)).not.toContain('data');
  });

  test('BOUNDARY_API_KEY and BOUNDARY_BASE_URL come first', async () => {
    const { address } = testServer.listening;
    const { key } = await testServer.key({ email: 'env@cli.example' });
    const env = { BOUNDARY_API_KEY: key, BOUNDARY_BASE_URL: `${address}/` };
    const me = JSON.parse((await machine.run(['whoami', '--json'], { env })).out);
    expect(me.place).toEqual({ kind: 'server', url: address, because: 'BOUNDARY_BASE_URL', key: 'BOUNDARY_API_KEY' });
    expect(me.account.email).toBe('env@cli.example');
    const wrong = await machine.run(['whoami'], { env: { ...env, BOUNDARY_API_KEY: 'bnd_live_wrong' } });
    expect([wrong.exit, wrong.err.split(':')[1]]).toEqual([3, ' invalid_key']);
  });
});

describe('where the work is done', () => {
  const folder = (): string => machine.path('places');
  const config = (more: Record<string, string> = {}) =>
    loadConfig({ XDG_CONFIG_HOME: folder(), DATA_DIR: join(folder(), 'data'), ...more });
  const place = (given: TargetFlags, more: Record<string, string> = {}) => chooseTarget(config(more), given);

  test('--local, --url, BOUNDARY_BASE_URL, the sign-in, control.sock, DATA_DIR, in this order', async () => {
    const base = { BOUNDARY_BASE_URL: 'https://base.example' };
    expect(await place({})).toMatchObject({ kind: 'database', because: 'DATA_DIR' });
    expect(await place({}, { DATABASE_URL: 'postgres://me:secret@db.example/maps' })).toEqual({
      kind: 'database',
      name: 'db.example/maps',
      because: 'DATABASE_URL',
    });
    const lock = await acquireDataDir(join(folder(), 'data'));
    try {
      const socket = join(folder(), 'data', 'control.sock');
      writeFileSync(socket, '');
      expect(await place({})).toEqual({ kind: 'socket', path: socket, because: 'control.sock' });
      await changeLogins(credentialsPath(config()), () => ({
        current: 'https://saved.example',
        servers: { 'https://saved.example': login('bnd_saved'), 'https://other.example': login('bnd_other') },
      }));
      expect(await place({})).toMatchObject({ url: 'https://saved.example', because: 'login' });
      expect(await place({}, base)).toMatchObject({ url: 'https://base.example', because: 'BOUNDARY_BASE_URL' });
      expect(await place({ url: 'https://url.example' }, base)).toMatchObject({
        url: 'https://url.example',
        because: '--url',
      });
      expect(await place({ local: true }, base)).toEqual({ kind: 'socket', path: socket, because: '--local' });
      await expect(place({ local: true, url: 'https://url.example' })).rejects.toMatchObject({ code: 'invalid_input' });
    } finally {
      await lock.release();
    }
    expect(await place({ local: true }, base)).toMatchObject({ kind: 'database', because: '--local' });
  });

  test('a saved key goes to the server it was made for, and to no other', async () => {
    const keyAt = async (given: TargetFlags, more: Record<string, string> = {}) => {
      const found = await place(given, more);
      return found.kind === 'server' ? (found.key?.secret ?? null) : found.kind;
    };
    expect(await keyAt({})).toBe('bnd_saved');
    expect(await keyAt({ url: 'HTTPS://Other.example:443/' })).toBe('bnd_other');
    expect(await keyAt({ url: 'other.example' })).toBe('bnd_other');
    for (const url of [
      'http://other.example',
      'https://other.example:8443',
      'https://other.example/base',
      'https://x.example',
    ]) {
      expect(await keyAt({ url }), url).toBeNull();
    }
    const given = { BOUNDARY_API_KEY: 'bnd_given' };
    expect(await keyAt({}, given)).toBe('bnd_given');
    expect(await keyAt({ url: 'https://x.example' }, given)).toBe('bnd_given');
    // A key that is given with an address is meant for it.
    const both = { ...given, BOUNDARY_BASE_URL: 'https://base.example' };
    expect(await keyAt({}, both)).toBe('bnd_given');
    expect(await keyAt({ url: 'https://x.example' }, both)).toBeNull();
    expect(await keyAt({ url: 'https://other.example' }, both)).toBe('bnd_other');
  });

  test('a server that sends elsewhere is not followed', async () => {
    const asked: string[] = [];
    const other: Server = createServer((request, response) => {
      asked.push(String(request.headers.authorization));
      response.end('{}');
    });
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const from: Server = createServer((_request, response) =>
      response.writeHead(307, { Location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` }).end(),
    );
    await new Promise<void>((done) => from.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(from.address() as AddressInfo).port}`;
    const outcome = await machine.run(['whoami', '--url', url], { env: { BOUNDARY_API_KEY: 'bnd_given' } });
    other.close();
    from.close();
    expect([outcome.exit, asked]).toEqual([1, []]);
  });

  test('flags may stand before the command as well', async () => {
    const me = await machine.run(['--url', 'https://before.example', 'whoami', '--json']);
    expect(JSON.parse(me.out).place).toMatchObject({ url: 'https://before.example', because: '--url' });
  });

  test.each(['', 'ftp://x.example', 'https://x.example/?a=b', 'https://me:secret@x.example', 'http://'])(
    'the address %s is refused',
    (address) => {
      expect(() => serverName(address)).toThrow(/not the address of a server/);
    },
  );
});

describe('the file of sign-ins', () => {
  test('two at once lose nothing; what a dead process left is taken over', async () => {
    const path = machine.path('race', 'credentials.json');
    mkdirSync(machine.path('race'));
    const names = Array.from({ length: 20 }, (_, i) => `https://s${i}.example`);
    await Promise.all(
      names.map((name) =>
        changeLogins(path, (known) => ({ current: name, servers: { ...known.servers, [name]: login() } })),
      ),
    );
    expect(Object.keys(readLogins(path).servers).sort()).toEqual([...names].sort());
    expect(readdirSync(machine.path('race'))).toEqual(['credentials.json']);
  });

  test('one that cannot be read is named and left alone', async () => {
    const path = machine.path('broken.json');
    writeFileSync(path, '{"servers":');
    expect(() => readLogins(path)).toThrow(`${path} cannot be read`);
    await expect(changeLogins(path, (known) => known)).rejects.toThrow('cannot be read');
    expect(readFileSync(path, 'utf8')).toBe('{"servers":');
  });
});
