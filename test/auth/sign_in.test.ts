import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined, only } from '../../src/common/elements.ts';
import { sweepSignIn } from '../../src/domain/people/sign_in.ts';
import { watchedQuery } from '../setup/watched.ts';
import { openTestServer, type TestServer } from '../transports/test_server.ts';
import { linkFor, ORIGIN, openBrowser, recordingMailer, SESSION, signIn, tokenOf } from './browser.ts';

const mailer = recordingMailer();
const { mails } = mailer;
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' }, { mailer });
});
afterAll(() => server.close());

const count = async (table: string): Promise<number> =>
  only(await server.database.db.query<{ n: number }>(`select count(*) as n from ${table}`)).n;

let network = 0;
/** Requests from one more network address. */
const elsewhere = (): Record<string, string> => ({ 'X-Forwarded-For': `198.51.100.${++network}` });

describe('signing in by a link', () => {
  test('the first time: a form, a mail, a page that asks the name, an account with its own organization', async () => {
    const browser = openBrowser(server);
    const form = await browser.get('/sign-in');
    expect(form.status).toBe(200);
    expect(form.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(form.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(form.text).not.toMatch(/<script|javascript:|\son\w+=/i);
    const asked = await browser.post('/sign-in', { email: ' Ada@Example.org ' });
    expect(asked.status).toBe(200);
    expect(await count("account where email = 'ada@example.org'")).toBe(0);

    const link = await linkFor(server, mails, 'ada@example.org');
    const shown = await browser.get(link);
    expect(shown.status).toBe(200);
    expect(shown.text).toContain('ada@example.org');
    expect(shown.text).toContain('name="name"');
    expect(browser.cookies.has(SESSION)).toBe(false);

    const done = await browser.post('/sign-in/confirm', { token: tokenOf(link), name: ' Ada  Lovelace ' });
    expect(done.status).toBe(303);
    expect(done.headers.location).toBe(`${ORIGIN}/sign-in`);
    expect([...browser.cookies.keys()]).toEqual([SESSION]);
    const line = (done.headers['set-cookie'] ?? []).find((one) => one.startsWith(SESSION));
    expect(line).toMatch(/; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure$/);
    expect(line).not.toMatch(/domain/i);

    const { json } = await browser.get('/v1/account');
    expect(json).toMatchObject({
      email: 'ada@example.org',
      name: 'Ada  Lovelace',
      org: { slug: 'ada', role: 'owner', plan: 'free' },
    });
    const log = await browser.get('/sign-in');
    expect(log.text).toContain('ada@example.org');
    const entries = await server.database.db.query<{ action: string; actor_type: string; actor_name: string }>(
      'select action, actor_type, actor_name from audit_log where actor_id = $1',
      [json.id],
    );
    expect(entries).toContainEqual({ action: 'org.create', actor_type: 'person', actor_name: 'Ada  Lovelace' });
  });

  test('the second time no name is asked or taken', async () => {
    await signIn(server, mails, 'grace@example.org', 'Grace');
    const browser = openBrowser(server);
    await browser.post('/sign-in', { email: 'grace@example.org' });
    const link = await linkFor(server, mails, 'grace@example.org');
    expect((await browser.get(link)).text).not.toContain('name="name"');
    await browser.post('/sign-in/confirm', { token: tokenOf(link), name: 'Mallory' });
    expect((await browser.get('/v1/account')).json.name).toBe('Grace');
  });

  test('no name is a name of none', async () => {
    const browser = await signIn(server, mails, 'unknown@example.org', '  ');
    expect((await browser.get('/v1/account')).json.name).toBeNull();
  });

  test('who already has an account, made with a key, keeps it', async () => {
    const { account } = await server.key({ email: 'keyed@example.org' });
    const browser = await signIn(server, mails, 'keyed@example.org', 'Kay');
    expect((await browser.get('/v1/account')).json).toMatchObject({ id: account.id, name: 'Kay' });
  });

  test('a link works once', async () => {
    const browser = openBrowser(server);
    await browser.post('/sign-in', { email: 'once@example.org' });
    const token = tokenOf(await linkFor(server, mails, 'once@example.org'));
    const kept = new Map(browser.cookies);
    expect((await browser.post('/sign-in/confirm', { token })).status).toBe(303);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expect((await browser.post('/sign-in/confirm', { token })).status).toBe(400);
    expect((await browser.get(`/sign-in/confirm?token=${token}`)).status).toBe(400);
  });

  test('of ten that use it at once one gets in', async () => {
    const browser = openBrowser(server);
    await browser.post('/sign-in', { email: 'race@example.org' });
    const token = tokenOf(await linkFor(server, mails, 'race@example.org'));
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => browser.post('/sign-in/confirm', { token, name: 'R' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(400)]);
  });

  test('two links of one person that are used at once make one account', async () => {
    const browsers = [openBrowser(server), openBrowser(server)];
    const tokens: string[] = [];
    for (const browser of browsers) {
      await browser.post('/sign-in', { email: 'twice@example.org' });
      tokens.push(tokenOf(await linkFor(server, mails, 'twice@example.org')));
    }
    const replies = await Promise.all(
      browsers.map((browser, i) => browser.post('/sign-in/confirm', { token: defined(tokens[i]), name: `N${i}` })),
    );
    expect(replies.map(({ status }) => status)).toEqual([303, 303]);
    expect(await count("account where email = 'twice@example.org'")).toBe(1);
    expect(await count("org o join account a on a.id = o.personal_of where a.email = 'twice@example.org'")).toBe(1);
  });

  test('a link is over after 15 minutes', async () => {
    const browser = openBrowser(server);
    await browser.post('/sign-in', { email: 'late@example.org' });
    const token = tokenOf(await linkFor(server, mails, 'late@example.org'));
    const { left } = only(
      await server.database.db.query<{ left: number }>(
        "select extract(epoch from expires_at - created_at)::integer as left from sign_in_link where email = 'late@example.org'",
      ),
    );
    expect(left).toBe(900);
    await server.database.db.query("update sign_in_link set expires_at = now() where email = 'late@example.org'");
    expect((await browser.get(`/sign-in/confirm?token=${token}`)).status).toBe(400);
    expect((await browser.post('/sign-in/confirm', { token })).status).toBe(400);
    expect(browser.cookies.has(SESSION)).toBe(false);
  });

  test('a link works in the browser that asked and in no other', async () => {
    const browser = openBrowser(server);
    await browser.post('/sign-in', { email: 'bound@example.org' });
    const link = await linkFor(server, mails, 'bound@example.org');
    const other = openBrowser(server);
    expect((await other.get(link)).status).toBe(400);
    expect((await other.get(link)).text).not.toContain('bound@example.org');
    expect((await other.post('/sign-in/confirm', { token: tokenOf(link) })).status).toBe(400);
    // Not with the cookie of another request either.
    await other.post('/sign-in', { email: 'mallory@example.org' });
    expect((await other.post('/sign-in/confirm', { token: tokenOf(link) })).status).toBe(400);
    expect((await browser.post('/sign-in/confirm', { token: tokenOf(link) })).status).toBe(303);
  });

  test('whoever only looks uses nothing up', async () => {
    const browser = openBrowser(server);
    await browser.post('/sign-in', { email: 'scanned@example.org' });
    const link = await linkFor(server, mails, 'scanned@example.org');
    for (const method of ['HEAD', 'GET', 'OPTIONS']) {
      await server.ask(method, link);
      await browser.ask(method, link, { headers: { Purpose: 'prefetch', 'Sec-Purpose': 'prefetch' } });
    }
    expect(browser.cookies.has(SESSION)).toBe(false);
    expect((await browser.post('/sign-in/confirm', { token: tokenOf(link) })).status).toBe(303);
  });

  test('an open link survives the next request of the same browser', async () => {
    const browser = openBrowser(server);
    await browser.post('/sign-in', { email: 'again@example.org' });
    const first = tokenOf(await linkFor(server, mails, 'again@example.org'));
    await browser.post('/sign-in', { email: 'again@example.org' });
    expect((await browser.post('/sign-in/confirm', { token: first })).status).toBe(303);
  });

  test('known and unknown people get the same answer for the same statements', async () => {
    await signIn(server, mails, 'known@example.org');
    const { db } = server.database;
    const seen: string[][] = [];
    const replies: string[] = [];
    const { transaction } = db;
    for (const email of ['known@example.org', 'unknown@example.org']) {
      const statements: string[] = [];
      (db as { transaction: typeof transaction }).transaction = (work) =>
        transaction.call(db, (tx) =>
          work({
            exec: (sql) => tx.exec(sql),
            query: watchedQuery(tx, (sql) => statements.push(sql)),
          }),
        ) as ReturnType<typeof transaction> as never;
      const reply = await openBrowser(server).post('/sign-in', { email }, elsewhere());
      replies.push(`${reply.status} ${reply.text.replaceAll(email, '…')}`);
      seen.push(statements);
    }
    (db as { transaction: typeof transaction }).transaction = transaction;
    expect(replies[1]).toBe(replies[0]);
    expect(defined(seen[0]).length).toBeGreaterThan(2);
    expect(seen[1]).toEqual(seen[0]);
    expect(defined(seen[0]).join(' ')).not.toMatch(/\baccount\b/);
  });

  test('five mails from one network to one address', async () => {
    const statuses: number[] = [];
    const headers = elsewhere();
    for (let i = 0; i < 6; i++) {
      const reply = await openBrowser(server).post('/sign-in', { email: 'flooded@example.org' }, headers);
      statuses.push(reply.status);
      if (reply.status === 429) {
        expect(Number(reply.headers['retry-after'])).toBeGreaterThan(800);
        expect(reply.headers['content-type']).toContain('text/html');
      }
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await count("sign_in_link where email = 'flooded@example.org'")).toBe(5);
  });

  test('who names an address keeps its owner from nothing: they sign in from another network', async () => {
    const hostile = elsewhere();
    for (let i = 0; i < 6; i++) await openBrowser(server).post('/sign-in', { email: 'victim@example.org' }, hostile);
    // In whatever spelling.
    const again = await openBrowser(server).post('/sign-in', { email: 'VICTIM@Example.org ' }, hostile);
    expect(again.status).toBe(429);
    // The last mail is then their own.
    await server.services.outbox.sendDue();
    const own = await signIn(server, mails, 'victim@example.org');
    expect((await own.get('/v1/account')).status).toBe(200);
  });

  test('ten mails a day to one address from everywhere, but for networks from which its owner signed in', async () => {
    const email = 'popular@example.org';
    const home = elsewhere();
    const browser = openBrowser(server);
    await browser.post('/sign-in', { email }, home);
    const token = tokenOf(await linkFor(server, mails, email));
    expect((await browser.post('/sign-in/confirm', { token }, home)).status).toBe(303);
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) {
      statuses.push((await openBrowser(server).post('/sign-in', { email }, elsewhere())).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(9);
    expect(statuses.slice(9)).toEqual([429, 429]);
    expect((await openBrowser(server).post('/sign-in', { email }, home)).status).toBe(200);
  });

  test('its owner signs in from anywhere with a mail that others asked for, and with one that is over', async () => {
    const email = 'besieged@example.org';
    for (let i = 0; i < 12; i++) await openBrowser(server).post('/sign-in', { email, next: '/device' }, elsewhere());
    const stranger = await linkFor(server, mails, email);
    const sent = mails.filter(({ to }) => to === email).length;
    expect(sent).toBe(10);
    const owner = openBrowser(server);
    const refused = await owner.post('/sign-in', { email });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    expect(refused.text).toContain('hours');
    expect(refused.text).toContain('open the link of the last one in this browser');

    await server.database.db.query('update sign_in_link set expires_at = now() where email = $1', [email]);
    await sweepSignIn(server.database.db);
    const page = await owner.get(stranger);
    expect(page.status).toBe(400);
    expect(page.text).not.toContain(email);
    expect(page.text).toContain('action="/sign-in/again"');
    expect((await owner.post('/sign-in/again', { token: tokenOf(stranger) })).status).toBe(200);
    const own = await linkFor(server, mails, email);
    expect(own).not.toBe(stranger);
    expect((await openBrowser(server).post('/sign-in/confirm', { token: tokenOf(own) })).status).toBe(400);
    const done = await owner.post('/sign-in/confirm', { token: tokenOf(own) });
    expect(done.status).toBe(303);
    expect(done.headers.location).toBe(`${ORIGIN}/device`);
  });

  test('an address of no mail sends none, and twenty mails a day go from one network to one address', async () => {
    const before = await count('outbox');
    for (const token of ['', 'x', 'A'.repeat(32)]) {
      const reply = await openBrowser(server).post('/sign-in/again', { token }, elsewhere());
      expect(reply.status).toBe(400);
      expect(reply.text).not.toContain('/sign-in/again');
    }
    expect(await count('outbox')).toBe(before);
    const email = 'neighbor@example.org';
    const headers = elsewhere();
    const browser = openBrowser(server);
    await browser.post('/sign-in', { email }, headers);
    const token = tokenOf(await linkFor(server, mails, email));
    expect((await browser.post('/sign-in/confirm', { token }, headers)).status).toBe(303);
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++) {
      // The fifteen minutes of the shorter limit are over.
      await server.database.db.query(
        "update attempt set ends_at = now() where ends_at < now() + interval '20 minutes' and count >= 5",
      );
      statuses.push((await openBrowser(server).post('/sign-in', { email }, headers)).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(19);
  });

  test('thirty mails from one network, whomever to, also at once', async () => {
    const headers = elsewhere();
    const replies = await Promise.all(
      Array.from({ length: 35 }, (_, i) =>
        openBrowser(server).post('/sign-in', { email: `p${i}@flood.example` }, headers),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(5);
    expect(await count("sign_in_link where email like '%@flood.example'")).toBe(30);
  });

  test('the whole /64 of an IPv6 address is one sender', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 31 }, async (_, i) => {
        const headers = { 'X-Forwarded-For': `2001:db8:1:2::${i + 1}` };
        return (await openBrowser(server).post('/sign-in', { email: `p${i}@six.example` }, headers)).status;
      }),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('where sign-in leads', () => {
  const hostile = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/%0d%0aLocation:%20https://evil.example',
    '/\r\nSet-Cookie: x=1',
    '/\t/evil.example',
    '@evil.example',
    '.evil.example',
    ' /device',
    `/${'a'.repeat(2001)}`,
  ];
  test.each(hostile)('%j leads nowhere else', async (next) => {
    const browser = openBrowser(server);
    const email = `next${hostile.indexOf(next)}@example.org`;
    await browser.post('/sign-in', { email, next }, elsewhere());
    const token = tokenOf(await linkFor(server, mails, email));
    const { headers, status } = await browser.post('/sign-in/confirm', { token });
    expect(status).toBe(303);
    const to = new URL(String(headers.location));
    expect(to.origin).toBe(ORIGIN);
    expect(headers['set-cookie']?.join()).not.toContain('x=1');
    // Signed in already, the form leads on at once.
    const direct = await browser.get(`/sign-in?next=${encodeURIComponent(next)}`);
    if (direct.status === 303) expect(new URL(String(direct.headers.location)).origin).toBe(ORIGIN);
    else expect(direct.status).toBe(200);
  });

  test('a path of ours is kept', async () => {
    const browser = openBrowser(server);
    await browser.post('/sign-in', { email: 'path@example.org', next: '/device?code=BCDF-GHJK' }, elsewhere());
    const token = tokenOf(await linkFor(server, mails, 'path@example.org'));
    const { headers } = await browser.post('/sign-in/confirm', { token });
    expect(headers.location).toBe(`${ORIGIN}/device?code=BCDF-GHJK`);
  });
});

describe('what people write', () => {
  test.each([
    'a@example.org\r\nBcc: everyone@example.org',
    'a@example.org\nSubject: x',
    'a@example.org,b@example.org',
    'a@example.org;b@example.org',
    'b@example.org>,<a@example.org',
    'x <a@example.org>',
    '"a b"@example.org',
    'group:a@example.org',
    'a,b@example.org',
    '(c)a@example.org',
    'a\u0000@example.org',
    'a\u007f@example.org',
    'a@b@example.org',
    '',
    'unknown',
    `${'a'.repeat(250)}@example.org`,
  ])('%j is not an address to send mail to', async (email) => {
    const before = await count('outbox');
    const reply = await openBrowser(server).post('/sign-in', { email }, elsewhere());
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('role="alert"');
    expect(await count('outbox')).toBe(before);
  });

  test('is escaped wherever it is shown', async () => {
    const email = `o'<b>"&@example.org`;
    const reply = await openBrowser(server).post('/sign-in', { email }, elsewhere());
    expect(reply.text).not.toContain('<b>');
    const form = await server.ask('GET', `/sign-in?next=${encodeURIComponent('/"><script>alert(1)</script>')}`);
    expect(form.text).not.toContain('<script');
    const browser = await signIn(server, mails, 'markup@example.org', `<img src=x onerror="alert(1)">'&`);
    const page = await browser.get('/sign-in');
    expect(page.text).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&amp;');
    expect(page.text).not.toContain('<img');
  });

  test.each(['a\r\nX: y', 'a\u0000b', 'a\u2028b', 'x'.repeat(201)])('a name is one line: %j', async (name) => {
    const browser = openBrowser(server);
    await browser.post('/sign-in', { email: 'name@example.org' }, elsewhere());
    await server.database.db.query('delete from attempt');
    const token = tokenOf(await linkFor(server, mails, 'name@example.org'));
    expect((await browser.post('/sign-in/confirm', { token, name })).status).toBe(400);
    // The link is not used up by it.
    expect((await browser.get(`/sign-in/confirm?token=${token}`)).status).toBe(200);
  });

  test('only forms are taken, and short ones', async () => {
    const json = await server.ask('POST', '/sign-in', {
      json: { email: 'a@example.org' },
      headers: { Origin: ORIGIN },
    });
    expect(json.status).toBe(400);
    const plain = await server.ask('POST', '/sign-in', {
      body: 'email=a@example.org',
      headers: { Origin: ORIGIN, 'Content-Type': 'text/plain' },
    });
    expect(plain.status).toBe(400);
    const latin = await server.ask('POST', '/sign-in', {
      body: Buffer.from('email=\xe9@example.org', 'latin1'),
      headers: { Origin: ORIGIN, 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(latin.status).toBe(400);
    const long = await openBrowser(server).post('/sign-in', { email: 'a@example.org', more: 'x'.repeat(20_000) });
    expect(long.status).toBe(413);
    const doubled = await server.ask('POST', '/sign-in', {
      body: 'email=a@example.org&email=b@example.org',
      headers: { Origin: ORIGIN, 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(doubled.status).toBe(400);
    expect((await server.ask('PUT', '/sign-in')).headers.allow).toBe('GET, HEAD, POST');
  });
});
