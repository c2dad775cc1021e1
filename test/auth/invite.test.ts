import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../transports/test_server.ts';
import { linkFor, ORIGIN, openBrowser, recordingMailer, signIn, tokenOf } from './browser.ts';

const mailer = recordingMailer();
const { mails } = mailer;
let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({ BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' }, { mailer });
});
afterAll(() => server.close());

let orgs = 0;

async function invite(email: string): Promise<{ link: string; org: string }> {
  const { account, org } = await server.key({ email: `host-of-${email}`, orgSlug: `cartographers-${++orgs}` });
  const actor = { type: 'person', id: account.id, name: account.email, requestId: null, address: null } as const;
  await server.services.invites.create(
    { account: account.id, org: org.id, role: 'owner', actor },
    { email, role: 'viewer', language: 'en' },
  );
  return { link: await linkFor(server, mails, email), org: org.id };
}

test('the link of an invitation leads through sign-in to a page with a button, and into the organization', async () => {
  const { link, org } = await invite('guest@invited.example');
  const browser = openBrowser(server);
  const first = await browser.get(link);
  expect(first.status).toBe(303);
  const next = new URL(String(first.headers.location)).searchParams.get('next') as string;
  expect(next).toBe(link);
  const asked = await browser.get(
    new URL(String(first.headers.location)).pathname + new URL(String(first.headers.location)).search,
  );
  expect(asked.text).toMatch(
    /<strong>host-of-guest@invited.example<\/strong> invites you to the organization &quot;cartographers-\d+&quot; as viewer/,
  );
  await browser.post('/sign-in', { email: 'guest@invited.example', next });
  const token = tokenOf(await linkFor(server, mails, 'guest@invited.example'));
  const done = await browser.post('/sign-in/confirm', { token, name: 'Guest' });
  expect(done.headers.location).toBe(ORIGIN + link);
  // Looking accepts nothing.
  expect((await browser.get(link)).text).toContain('guest@invited.example');
  expect((await browser.get('/v1/account')).json.org).not.toMatchObject({ id: org });
  expect((await browser.post('/invite', { token: tokenOf(link) }, { Origin: 'https://evil.example' })).status).toBe(
    401,
  );

  const accepted = await browser.post('/invite', { token: tokenOf(link) });
  expect(accepted.status, accepted.text).toBe(200);
  expect(accepted.text).toContain('cartographers');
  for (const path of ['', 'library', 'account/members']) expect(accepted.text).toContain(`href="/${path}"`);
  expect((await browser.get('/v1/account')).json.org).toMatchObject({ id: org, role: 'viewer' });
  expect((await browser.post('/invite', { token: tokenOf(link) })).status).toBe(404);
});

test('the link that the inviter copies leads as the mailed one, for the address that is invited', async () => {
  const { account, org, key } = await server.key({ email: 'host@copied.example', orgSlug: 'copied' });
  const made = await server.ask('POST', '/v1/orgs/invites', { key, json: { email: 'guest@copied.example' } });
  expect(made.json).toMatchObject({ url: `${ORIGIN}/invite?token=${made.json.id}`, mailed: false });
  expect((await server.ask('GET', '/v1/orgs/invites', { key })).json).toMatchObject({ items: [made.json] });
  expect(account.email).toBe('host@copied.example');
  const link = String(made.json.url).slice(ORIGIN.length);
  const stranger = await signIn(server, mails, 'stranger@copied.example');
  for (const refused of [await stranger.get(link), await stranger.post('/invite', { token: tokenOf(link) })]) {
    expect(refused.status).toBe(404);
    expect(refused.text).toContain('not an open invitation for <strong>stranger@copied.example');
    expect(refused.text).toContain('Sign out, to use another address');
  }
  const guest = await signIn(server, mails, 'guest@copied.example');
  expect((await guest.get(link)).text).toContain('host@copied.example');
  expect((await guest.post('/invite', { token: tokenOf(link) })).status).toBe(200);
  expect((await guest.get('/v1/account')).json.org).toMatchObject({ id: org.id, role: 'member' });
});

test('an invitation is accepted by no one whom it does not name', async () => {
  const { link, org } = await invite('other@invited.example');
  const browser = await signIn(server, mails, 'mallory@invited.example');
  expect((await browser.post('/invite', { token: tokenOf(link) })).status).toBe(404);
  expect((await browser.post('/invite', { token: 'x' })).status).toBe(404);
  expect((await browser.post('/invite', {})).status).toBe(404);
  for (const wrong of ['a\0b', 'x'.repeat(5_000), '"']) {
    expect((await browser.get(`/invite?token=${encodeURIComponent(wrong)}`)).status).toBe(404);
    expect((await browser.post('/invite', { token: wrong })).status).toBe(404);
  }
  expect((await browser.get('/v1/account')).json.org).not.toMatchObject({ id: org });
});
