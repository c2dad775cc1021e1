import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Mail } from '../../src/adapters/mail.ts';
import { defined } from '../../src/common/elements.ts';
import { leading } from '../setup/elements.ts';
import { openTestServer, type Reply, type TestServer } from '../transports/test_server.ts';
import { type Browser, ORIGIN, openBrowser, recordingMailer, signIn } from './browser.ts';

const REDIRECT = 'http://127.0.0.1:7777/callback';
const RESOURCE = `${ORIGIN}/mcp`;

let testServer: TestServer;
let mails: readonly Mail[];
let ann: Browser;
let org: string;
beforeAll(async () => {
  const mailer = recordingMailer();
  mails = mailer.mails;
  testServer = await openTestServer({ BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' }, { mailer });
  ann = await signIn(testServer, mails, 'ann@example.org', 'Ann Lee');
  org = (await ann.get('/v1/orgs/current')).json.id as string;
});
afterAll(() => testServer.close());

const register = (metadata: object, browser = openBrowser(testServer)): Promise<Reply> =>
  browser.ask('POST', '/oauth/reg', { json: metadata });

async function client(name = 'Atlas'): Promise<string> {
  const reply = await register({ client_name: name, redirect_uris: [REDIRECT] });
  expect(reply.status).toBe(201);
  return reply.json.client_id as string;
}

interface Request {
  readonly url: string;
  readonly verifier: string;
}

function authorization(clientId: string, more: Record<string, string> = {}): Request {
  const verifier = randomBytes(32).toString('base64url');
  const query = {
    client_id: clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'read write offline_access',
    state: 'kept',
    resource: RESOURCE,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  };
  return { url: `/oauth/auth?${new URLSearchParams(query)}`, verifier };
}

const pathOf = (url: string): string => url.replace(ORIGIN, '');
const location = (reply: Reply): string => String(reply.headers.location);

/** Goes to the page of consent, answers it, and gives where the browser is sent with what. */
async function consent(browser: Browser, { url }: Request, answer: Record<string, string>): Promise<URL> {
  const page = location(await browser.get(url));
  const shown = await browser.get(pathOf(page));
  expect(shown.status).toBe(200);
  const answered = await browser.post(pathOf(page), answer);
  expect(answered.status, answered.text).toBe(303);
  return new URL(location(await browser.get(pathOf(location(answered)))));
}

const token = (fields: Record<string, string>): Promise<Reply> => openBrowser(testServer).post('/oauth/token', fields);

const redeem = (clientId: string, code: string, verifier: string, more: Record<string, string> = {}): Promise<Reply> =>
  token({
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
    ...more,
  });

interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
}

async function grant(clientId: string, scope = 'write', browser = ann, inOrg = org): Promise<Tokens> {
  const request = authorization(clientId);
  const back = await consent(browser, request, { answer: 'allow', scope, org: inOrg });
  expect(back.searchParams.get('state')).toBe('kept');
  expect(back.searchParams.get('iss')).toBe(`${ORIGIN}/oauth`);
  const reply = await redeem(clientId, back.searchParams.get('code') as string, request.verifier);
  expect(reply.status, reply.text).toBe(200);
  return reply.json as unknown as Tokens;
}

const call = (accessToken: string, method = 'GET', path = '/v1/account', json?: object): Promise<Reply> =>
  testServer.ask(method, path, { key: accessToken, json });
const refresh = (clientId: string, refreshToken: string): Promise<Reply> =>
  token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken });

describe('metadata', () => {
  test('is at the well-known addresses of the root, and names what there is', async () => {
    for (const path of [
      '/oauth-authorization-server/oauth',
      '/openid-configuration/oauth',
      '/oauth-authorization-server',
    ]) {
      const { status, json, headers } = await openBrowser(testServer).get(`/.well-known${path}`);
      expect(status).toBe(200);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(json).toMatchObject({
        issuer: `${ORIGIN}/oauth`,
        authorization_endpoint: `${ORIGIN}/oauth/auth`,
        token_endpoint: `${ORIGIN}/oauth/token`,
        registration_endpoint: `${ORIGIN}/oauth/reg`,
        revocation_endpoint: `${ORIGIN}/oauth/token/revocation`,
        code_challenge_methods_supported: ['S256'],
        response_types_supported: ['code'],
        scopes_supported: ['read', 'write', 'admin', 'offline_access'],
        token_endpoint_auth_methods_supported: ['none'],
      });
    }
    for (const [path, resource] of [
      ['/mcp', RESOURCE],
      ['/v1', `${ORIGIN}/v1`],
      ['', RESOURCE],
    ]) {
      const { json } = await openBrowser(testServer).get(`/.well-known/oauth-protected-resource${path}`);
      expect(json).toMatchObject({ resource, authorization_servers: [`${ORIGIN}/oauth`] });
    }
  });

  test('has the addresses of BASE_URL whatever the Host header says', async () => {
    const { text } = await testServer.ask('GET', '/.well-known/oauth-authorization-server', {
      headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' },
    });
    expect(text).not.toContain('evil');
  });
});

describe('a client', () => {
  test('registers itself, without a secret, for addresses that codes may go to', async () => {
    const reply = await register({ client_name: 'Atlas', redirect_uris: ['https://atlas.example/cb', REDIRECT] });
    expect(reply.status).toBe(201);
    expect(reply.json).toMatchObject({ token_endpoint_auth_method: 'none' });
    expect(reply.json.client_secret).toBeUndefined();
    for (const redirect of [
      'http://atlas.example/cb',
      'javascript:alert(1)',
      'data:text/html,x',
      'https://me:secret@atlas.example/',
      'https://atlas.example/#fragment',
      'nonsense',
      'com.atlas:/\u202E',
      'https://atlas.example/\u0000',
    ]) {
      expect((await register({ redirect_uris: [redirect] })).status, redirect).toBe(400);
    }
    for (const bad of [
      { redirect_uris: [] },
      { redirect_uris: Array.from({ length: 11 }, (_, i) => `https://atlas.example/${i}`) },
      { redirect_uris: [REDIRECT], client_name: 'x'.repeat(201) },
      { redirect_uris: [REDIRECT], client_name: 'two\nlines' },
      { redirect_uris: [REDIRECT], token_endpoint_auth_method: 'client_secret_post' },
      { redirect_uris: [REDIRECT], response_types: ['token'] },
      { redirect_uris: [REDIRECT], padding: 'x'.repeat(100_000) },
    ]) {
      expect((await register(bad)).status).toBeGreaterThanOrEqual(400);
    }
  });

  test('that registers and registers is stopped, and one that no one trusts is forgotten', async () => {
    const busy = openBrowser(testServer);
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++) statuses.push((await register({ redirect_uris: [REDIRECT] }, busy)).status);
    expect(statuses).toEqual([...Array(20).fill(201), 429]);
    const { db } = testServer.database;
    const unused = await client('Unused');
    await db.query("update oauth_record set expires_at = now() - interval '2 days' where model = 'Client'");
    const trusted = await client('Trusted');
    await grant(trusted);
    await testServer.services.oauth.sweep();
    expect((await ann.get(authorization(unused).url)).status).toBe(400);
    expect((await ann.get(authorization(trusted).url)).status).toBe(303);
  });
});

describe('authorization', () => {
  test('signs the person in first, then asks, and the token acts for them in the organization they chose', async () => {
    const id = await client('Atlas <b>&');
    const stranger = openBrowser(testServer);
    const page = location(await stranger.get(authorization(id).url));
    const turned = await stranger.get(pathOf(page));
    expect(turned.status).toBe(302);
    expect(location(turned)).toBe(`${ORIGIN}/sign-in?next=${encodeURIComponent(pathOf(page))}`);

    const own = location(await ann.get(authorization(id).url));
    const shown = await ann.get(pathOf(own));
    expect(shown.text).toContain('Atlas &lt;b&gt;&amp;');
    expect(shown.text).not.toContain('Atlas <b>');
    expect(shown.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(shown.headers['content-security-policy']).toContain("form-action 'self' http://127.0.0.1:7777");

    const { json } = await call((await grant(id)).access_token);
    expect(json).toMatchObject({ email: 'ann@example.org', org: { id: org }, operator: false, key_id: null });
    const listed = await ann.get('/v1/oauth-grants');
    expect((listed.json.items as object[])[0]).toMatchObject({ client_name: 'Atlas <b>&', scope: 'write' });
    const log = await ann.get('/v1/orgs/audit-log?action=oauth_grant.create');
    expect((log.json.items as object[])[0]).toMatchObject({
      actor: { type: 'person', name: 'Ann Lee' },
      target: { type: 'oauth_grant', name: 'Atlas <b>&' },
    });
  });

  test('a person who declines sends the client away with access_denied', async () => {
    const id = await client();
    const back = await consent(ann, authorization(id), { answer: 'decline' });
    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('code')).toBeNull();
  });

  test('consent is asked each time, and only a page of ours, in the browser that began, may give it', async () => {
    const id = await client();
    await grant(id);
    const page = location(await ann.get(authorization(id).url));
    expect(page).toContain('/oauth/interaction/');
    const answer = { answer: 'allow', scope: 'read', org };
    const forged = await ann.post(pathOf(page), answer, { Origin: 'https://evil.example' });
    expect(forged.status).toBe(401);
    const bob = await signIn(testServer, mails, 'bob@example.org', 'Bob');
    expect((await bob.post(pathOf(page), answer)).status).toBeGreaterThanOrEqual(400);
  });

  test('gives no more than was asked for, and in no organization but their own', async () => {
    const id = await client();
    const bob = await signIn(testServer, mails, 'bob2@example.org', 'Bob');
    const theirs = (await bob.get('/v1/orgs/current')).json.id as string;
    for (const answer of [
      { answer: 'allow', scope: 'admin', org },
      { answer: 'allow', scope: 'nonsense', org },
      { answer: 'allow', scope: 'read', org: theirs },
      { answer: 'allow', scope: 'read', org: '' },
    ]) {
      const page = location(await ann.get(authorization(id).url));
      const reply = await ann.post(pathOf(page), answer);
      expect(reply.status, JSON.stringify(answer)).toBeGreaterThanOrEqual(400);
    }
  });

  test('shows the least scope chosen, whatever was asked for', async () => {
    const id = await client();
    const { url } = authorization(id, { scope: 'read write admin offline_access' });
    const shown = await ann.get(pathOf(location(await ann.get(url))));
    const scopes = [...shown.text.matchAll(/name="scope" value="(\w+)"( checked)?/g)].map(([, ...one]) => one);
    expect(scopes).toEqual([
      ['read', ' checked'],
      ['write', undefined],
      ['admin', undefined],
    ]);
  });

  test('that names no scope asks to read', async () => {
    const id = await client();
    const { url, verifier } = authorization(id, { scope: '' });
    const request = { url: url.replace('scope=&', ''), verifier };
    expect(request.url).not.toContain('scope');
    const shown = await ann.get(pathOf(location(await ann.get(request.url))));
    expect([...shown.text.matchAll(/name="scope" value="(\w+)"/g)].map(([, value]) => value)).toEqual(['read']);
    const back = await consent(ann, request, { answer: 'allow', scope: 'read', org });
    const reply = await redeem(id, back.searchParams.get('code') as string, verifier);
    expect([reply.status, reply.json.scope]).toEqual([200, 'read']);
    expect((await call(reply.json.access_token as string)).status).toBe(200);
  });

  test.each([
    ['no code challenge', { code_challenge: '' }, 'invalid_request'],
    ['a plain code challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another resource', { resource: 'https://evil.example/' }, 'invalid_target'],
    ['a token at once', { response_type: 'token' }, 'unsupported_response_type'],
  ])('%s is refused', async (_what, more, error) => {
    const back = new URL(location(await ann.get(authorization(await client(), more).url)).replace('#', '?'));
    expect([back.host, back.searchParams.get('error')]).toEqual(['127.0.0.1:7777', error]);
  });

  test.each([
    ['an address the client did not register', { redirect_uri: 'https://evil.example/cb' }],
    ['an unknown client', { client_id: 'unknown' }],
  ])('%s leads nowhere', async (_what, more) => {
    const reply = await ann.get(authorization(await client(), more).url);
    expect([reply.status, reply.headers.location]).toEqual([400, undefined]);
    expect(reply.headers['content-type']).toContain('text/html');
  });
});

describe('a code', () => {
  async function code(id: string): Promise<{ value: string; verifier: string }> {
    const request = authorization(id);
    const back = await consent(ann, request, { answer: 'allow', scope: 'read', org });
    return { value: back.searchParams.get('code') as string, verifier: request.verifier };
  }

  test('is not a use without its verifier, to another client, or at another address', async () => {
    const [id, other] = [await client(), await client('Other')];
    const one = await code(id);
    expect((await redeem(id, one.value, randomBytes(32).toString('base64url'))).json.error).toBe('invalid_grant');
    const two = await code(id);
    expect((await redeem(other, two.value, two.verifier)).json.error).toBe('invalid_grant');
    const three = await code(id);
    const elsewhere = await redeem(id, three.value, three.verifier, { redirect_uri: 'http://127.0.0.1:7777/other' });
    expect(elsewhere.json.error).toBe('invalid_grant');
  });

  test('that comes twice gives tokens once, and then ends the grant', async () => {
    const id = await client();
    const { value, verifier } = await code(id);
    const first = await redeem(id, value, verifier);
    expect(first.status).toBe(200);
    expect((await redeem(id, value, verifier)).json.error).toBe('invalid_grant');
    expect((await call(first.json.access_token as string)).status).toBe(401);
    expect((await refresh(id, first.json.refresh_token as string)).status).toBe(400);
  });

  test('that two redeem at the same moment gives at most one of them tokens', async () => {
    const id = await client();
    const { value, verifier } = await code(id);
    const replies = await Promise.all([1, 2, 3].map(() => redeem(id, value, verifier)));
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });
});

describe('a token', () => {
  test('does what its scope allows and no more, and no more than the person may', async () => {
    const id = await client();
    const reading = await grant(id, 'read');
    expect(reading.scope).toBe('read');
    expect((await call(reading.access_token, 'GET', '/v1/boundaries/reverse?lat=1&lon=1')).status).not.toBe(401);
    const write = await call(reading.access_token, 'POST', '/v1/feedback/features', { title: 'Something' });
    expect([write.status, write.json.code]).toEqual([401, 'unauthorized']);
    // Not a reason to ask for the same token again.
    const tooLittle = 'Bearer realm="boundary-lookup", error="insufficient_scope"';
    expect(write.headers['www-authenticate']).toBe(tooLittle);
    const log = await call(reading.access_token, 'GET', '/v1/orgs/audit-log');
    expect([log.status, log.json.code]).toEqual([401, 'unauthorized']);
    expect(log.json.detail).toBe(
      'This operation needs the role admin in the organization. This token acts as viewer, as its scope is read.',
    );
    expect(log.headers['www-authenticate']).toBe(tooLittle);
    expect((await testServer.ask('GET', '/v1/orgs/audit-log')).headers['www-authenticate']).toContain(
      'resource_metadata=',
    );
    const writing = await grant(id, 'write');
    expect((await call(writing.access_token, 'POST', '/v1/feedback/features', { title: 'Something' })).status).toBe(
      201,
    );
    for (const [method, path, json] of [
      ['POST', '/v1/api-keys', { name: 'for ever' }],
      ['PATCH', '/v1/orgs/current', { name: 'Mine' }],
      ['PUT', '/v1/orgs/plan', { plan: 'pro' }],
      ['DELETE', '/v1/account', undefined],
    ] as const) {
      expect((await call(writing.access_token, method, path, json)).status, path).toBe(401);
    }
  });

  test('of an admin makes no keys, which would outlive it; what it changes names the person', async () => {
    const id = await client('Manager');
    const request = authorization(id, { scope: 'read write admin offline_access' });
    const back = await consent(ann, request, { answer: 'allow', scope: 'admin', org });
    const tokens = (await redeem(id, back.searchParams.get('code') as string, request.verifier))
      .json as unknown as Tokens;
    const refused = await call(tokens.access_token, 'POST', '/v1/api-keys', { name: 'for ever' });
    expect([refused.status, refused.json.code]).toEqual([401, 'unauthorized']);
    const made = await call(tokens.access_token, 'POST', '/v1/orgs/teams', { name: 'Cartographers' });
    expect(made.status, made.text).toBe(201);
    const log = await ann.get('/v1/orgs/audit-log?action=team.create');
    expect((log.json.items as object[])[0]).toMatchObject({
      actor: { type: 'oauth_client', name: 'Manager' },
      details: { person: { name: 'Ann Lee' } },
    });
  });

  test('that is bad, cut short or of another kind is invalid_token, with a challenge', async () => {
    const id = await client();
    const tokens = await grant(id);
    for (const bad of ['nonsense', tokens.access_token.slice(1), tokens.refresh_token, `${tokens.access_token}x`]) {
      const reply = await call(bad);
      expect([reply.status, reply.json.code]).toEqual([401, 'invalid_token']);
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer .*error="invalid_token"/);
      expect(reply.headers['www-authenticate']).toContain(
        `resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/v1"`,
      );
    }
  });

  test('expires', async () => {
    const id = await client();
    const { access_token } = await grant(id);
    await testServer.database.db.query(
      "update oauth_record set expires_at = now() - interval '1 second' where model = 'AccessToken'",
    );
    expect((await call(access_token)).json.code).toBe('invalid_token');
  });

  test('is renewed with a new refresh token; the old one used again ends everything', async () => {
    const id = await client();
    const first = await grant(id);
    const second = (await refresh(id, first.refresh_token)).json as unknown as Tokens;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await call(second.access_token)).status).toBe(200);
    const stolen = await refresh(id, first.refresh_token);
    expect(stolen.json.error).toBe('invalid_grant');
    expect((await refresh(id, second.refresh_token)).json.error).toBe('invalid_grant');
    await expect.poll(async () => (await call(second.access_token)).status).toBe(401);
    const log = await ann.get('/v1/orgs/audit-log?action=oauth_grant.revoke');
    expect((log.json.items as object[])[0]).toMatchObject({ actor: { type: 'system', name: 'oauth' } });
  });

  test('of one client is not renewed by another', async () => {
    const [id, other] = [await client(), await client('Other')];
    const { refresh_token } = await grant(id);
    expect((await refresh(other, refresh_token)).json.error).toBe('invalid_grant');
  });

  test('ends when its client revokes it, and when the person revokes the grant', async () => {
    const id = await client();
    const first = await grant(id);
    const gone = await openBrowser(testServer).post('/oauth/token/revocation', {
      client_id: id,
      token: first.refresh_token,
    });
    expect(gone.status).toBe(200);
    await expect.poll(async () => (await call(first.access_token)).status).toBe(401);

    const second = await grant(id);
    const listed = (await ann.get('/v1/oauth-grants')).json.items as { id: string }[];
    const revoked = await ann.ask('DELETE', `/v1/oauth-grants/${defined(listed[0]).id}`);
    expect(revoked.json).toEqual({ id: defined(listed[0]).id, deleted: true });
    expect((await call(second.access_token)).status).toBe(401);
    expect((await refresh(id, second.refresh_token)).status).toBe(400);
    expect((await ann.ask('DELETE', `/v1/oauth-grants/${defined(listed[0]).id}`)).status).toBe(404);
  });

  test('of someone else cannot be revoked, nor seen, and none is kept where it can be read', async () => {
    const id = await client();
    const tokens = await grant(id);
    const [mine] = leading((await ann.get('/v1/oauth-grants')).json.items as { id: string }[], 1);
    const bob = await signIn(testServer, mails, 'bob3@example.org', 'Bob');
    expect((await bob.get('/v1/oauth-grants')).json.items).toEqual([]);
    expect((await bob.ask('DELETE', `/v1/oauth-grants/${mine.id}`)).status).toBe(404);
    const rows = await testServer.database.db.query('select * from oauth_record');
    const kept = JSON.stringify(rows) + testServer.logged.join('');
    for (const secret of [tokens.access_token, tokens.refresh_token]) expect(kept).not.toContain(secret);
  });
});
