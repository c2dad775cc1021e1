import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { type Browser, linkFor, ORIGIN, openBrowser, recordingMailer, signIn, tokenOf } from '../auth/browser.ts';
import { openTestServer, type TestServer } from '../transports/test_server.ts';

const mailer = recordingMailer();
const { mails } = mailer;
let server: TestServer;
let owner: Browser;
beforeAll(async () => {
  server = await openTestServer({ BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' }, { mailer });
  owner = await signIn(server, mails, 'owner@routes.example', 'Olga Owner');
});
afterAll(() => server?.close());

interface Body {
  readonly id: string;
  readonly [name: string]: unknown;
}
/** Calls as a browser does and gives status and body. */
async function call(browser: Browser, method: string, path: string, json?: object): Promise<[number, Body]> {
  const reply = await browser.ask(method, `/v1${path}`, json ? { json } : {});
  return [reply.status, reply.json as unknown as Body];
}
const items = (body: Body) => body.items as Body[];

describe('organizations over HTTP', () => {
  let org = '';
  test('an organization is made, switched to, shown and changed', async () => {
    const made = await owner.ask('POST', '/v1/orgs', { json: { name: 'Acme Maps' } });
    expect([made.status, made.headers.location]).toEqual([201, `${ORIGIN}/v1/orgs`]);
    org = String(made.json.id);
    const [, list] = await call(owner, 'GET', '/orgs');
    expect(items(list).map((one) => [one.slug, one.role, one.plan])).toEqual([
      ['owner', 'owner', 'free'],
      ['acme-maps', 'owner', server.services.db.kind === 'embedded' ? 'self_hosted' : 'free'],
    ]);
    expect((await call(owner, 'GET', '/orgs/current'))[1].slug).toBe('owner');
    expect(await call(owner, 'PUT', '/orgs/current', { org: 'acme-maps' })).toMatchObject([200, { id: org }]);
    expect((await call(owner, 'GET', '/orgs/current'))[1].id).toBe(org);
    expect(await call(owner, 'PATCH', '/orgs/current', { name: 'Acme' })).toMatchObject([200, { name: 'Acme' }]);
    const key = await owner.ask('POST', '/v1/api-keys', { json: {} });
    const byKey = await server.ask('PUT', '/v1/orgs/current', { json: { org }, key: String(key.json.api_key) });
    expect(byKey.json.code).toBe('unauthorized');
    expect((await server.ask('GET', '/v1/orgs/current')).json.code).toBe('unauthorized');
    expect((await server.ask('POST', '/v1/ops/get_org', { key: String(key.json.api_key) })).json.id).toBe(org);
  });

  test('someone is invited by mail, signs in, joins on the page, and leaves', async () => {
    const guest = await signIn(server, mails, 'guest@routes.example', 'Gus Guest');
    const [status, invite] = await call(owner, 'POST', '/orgs/invites', { email: 'guest@routes.example' });
    expect([status, invite.role]).toEqual([201, 'member']);
    const link = await linkFor(server, mails, 'guest@routes.example');
    expect(link).toMatch(/^\/invite\?token=/);

    // A browser that is not signed in goes there by way of the sign-in; a mail scanner that follows the link joins nothing.
    const fresh = await openBrowser(server).get(link);
    expect([fresh.status, fresh.headers.location]).toEqual([303, `${ORIGIN}/sign-in?next=${encodeURIComponent(link)}`]);
    expect((await owner.get(link)).status).toBe(404);
    const page = await guest.get(link);
    expect(page.status).toBe(200);
    expect(page.text).toContain('owner@routes.example');
    expect(page.text).toContain('Acme');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const token = tokenOf(link);
    const forged = await guest.post('/invite', { token }, { Origin: 'https://evil.example' });
    expect(forged.status).toBe(401);
    expect(items((await call(owner, 'GET', '/orgs/members'))[1]).length).toBe(1);
    const joined = await guest.post('/invite', { token });
    expect(joined.status).toBe(200);
    expect(joined.text).toContain('Acme');
    expect((await guest.post('/invite', { token })).status).toBe(404);

    const [, members] = await call(owner, 'GET', '/orgs/members');
    expect(members).toMatchObject({ total: 2, limit: 20, offset: 0 });
    const { id } = defined(items(members)[1]);
    expect((await call(guest, 'PUT', '/orgs/current', { org }))[0]).toBe(200);
    expect((await call(guest, 'GET', '/orgs/audit-log'))[1].code).toBe('unauthorized');
    expect(await call(owner, 'PATCH', `/orgs/members/${id}`, { role: 'admin' })).toMatchObject([
      200,
      { role: 'admin' },
    ]);
    // Noticed at once: the session is the same.
    const [seen, log] = await call(guest, 'GET', '/orgs/audit-log?action=member.update');
    expect([seen, items(log).length]).toEqual([200, 1]);
    expect(await call(guest, 'DELETE', `/orgs/members/${id}`)).toEqual([200, { id, deleted: true }]);
    // They are still signed in, elsewhere.
    expect((await call(guest, 'GET', '/account'))[1].org).toMatchObject({ slug: 'guest', role: 'owner' });
  });

  test('an invitation to a new address is accepted by the operation', async () => {
    const [, invite] = await call(owner, 'POST', '/orgs/invites', { email: 'new@routes.example', role: 'viewer' });
    expect(items((await call(owner, 'GET', '/orgs/invites'))[1]).map(({ id }) => id)).toEqual([invite.id]);
    const token = tokenOf(await linkFor(server, mails, 'new@routes.example'));
    const viewer = await signIn(server, mails, 'new@routes.example');
    expect(await call(viewer, 'POST', '/invites/accept', { token })).toMatchObject([200, { id: org, role: 'viewer' }]);
    const [, second] = await call(owner, 'POST', '/orgs/invites', { email: 'never@routes.example' });
    expect(await call(owner, 'DELETE', `/orgs/invites/${second.id}`)).toEqual([200, { id: second.id, deleted: true }]);
    expect((await call(owner, 'DELETE', `/orgs/invites/${second.id}`))[1].code).toBe('not_found');
  });

  test('teams', async () => {
    const [status, team] = await call(owner, 'POST', '/orgs/teams', { name: 'Field work' });
    expect([status, team.slug]).toEqual([201, 'field-work']);
    const [, members] = await call(owner, 'GET', '/orgs/members');
    const viewer = items(members).find((one) => one.role === 'viewer') as Body;
    expect((await call(owner, 'PUT', `/orgs/teams/field-work/members/${viewer.id}`))[0]).toBe(200);
    expect((await call(owner, 'PATCH', `/orgs/teams/${team.id}`, { slug: 'field' }))[1].slug).toBe('field');
    const [, teams] = await call(owner, 'GET', '/orgs/teams');
    expect(items(teams)).toMatchObject([{ id: team.id, slug: 'field', members: [{ id: viewer.id }] }]);
    expect(await call(owner, 'DELETE', `/orgs/teams/field/members/${viewer.id}`)).toEqual([
      200,
      { id: viewer.id, deleted: true },
    ]);
    expect(await call(owner, 'DELETE', '/orgs/teams/field')).toEqual([200, { id: team.id, deleted: true }]);
  });

  test('bad input is refused with every problem at once', async () => {
    const [status, body] = await call(owner, 'POST', '/orgs/teams', { name: '', slug: 'A b', more: 1 });
    expect([status, (body.issues as Body[]).map(({ path }) => path).sort()]).toEqual([400, ['more', 'name', 'slug']]);
    expect((await call(owner, 'PATCH', '/orgs/current', {}))[1].code).toBe('invalid_input');
    expect((await call(owner, 'PATCH', '/orgs/members/usr_x', { role: 'king' }))[1].code).toBe('invalid_input');
    expect((await call(owner, 'PATCH', '/orgs/members/usr_x', { role: 'viewer' }))[1].code).toBe('not_found');
    expect((await owner.ask('POST', '/v1/orgs/members')).status).toBe(405);
  });

  test('the organization and then the account are deleted', async () => {
    expect((await call(owner, 'DELETE', '/account'))[1].detail).toContain('acme-maps');
    expect(await call(owner, 'DELETE', '/orgs/current')).toEqual([200, { id: org, deleted: true }]);
    const [, account] = await call(owner, 'GET', '/account');
    expect(account.org).toMatchObject({ slug: 'owner' });
    expect(await call(owner, 'DELETE', '/account')).toEqual([200, { id: account.id, deleted: true }]);
    expect((await call(owner, 'GET', '/account'))[1].code).toBe('unauthorized');
  });
});
