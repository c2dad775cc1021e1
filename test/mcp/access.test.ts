import { createHash, randomBytes } from 'node:crypto';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { openBrowser, recordingMailer, signIn } from '../auth/browser.ts';
import { openTestServer, type Reply, seen, type TestServer, waitResolvers } from '../transports/test_server.ts';
import { agentOf, connect, newClient, REVISIONS } from './client.ts';

const ORIGIN = 'https://maps.example';
const ALL = '/mcp?toolsets=all&structured=1';
const mailer = recordingMailer();
let server: TestServer;
let port: number;
beforeAll(async () => {
  const config = { BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1', REQUEST_DEADLINE_MS: '20000' };
  server = await openTestServer(config, { mailer });
  ({ port } = server.listening.server.address() as { port: number });
});
afterAll(() => server?.close());

const until = async (holds: () => boolean): Promise<void> => {
  for (let i = 0; i < 500 && !holds(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(holds()).toBe(true);
};

interface Asking {
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly path?: string;
}

/** One message as a client of 2025 sends it, with as few headers as it may. */
function send(message: unknown, { key, headers = {}, path = ALL }: Asking = {}): Promise<Reply> {
  const accept = { Accept: 'application/json, text/event-stream' };
  return server.ask('POST', path, { json: message, key, headers: { Host: 'maps.example', ...accept, ...headers } });
}

const call = (name: string, input: object, asking?: Asking): Promise<Reply> =>
  send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }, asking);
const list = (asking?: Asking): Promise<Reply> => send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, asking);

interface Failed {
  readonly error: { readonly code: number; readonly message: string; readonly data: Record<string, unknown> };
  readonly id: unknown;
}
const failed = (reply: Reply) => reply.json as unknown as Failed;

/** The result in a reply, which is JSON or a stream of events. */
// biome-ignore lint/suspicious/noExplicitAny: what is in a result, the tests say.
function resultOf(reply: Reply): any {
  const text = reply.json ? reply.text : (/^data: (.*"result".*)$/m.exec(reply.text)?.[1] ?? '{}');
  return JSON.parse(text).result;
}

describe('who may call', () => {
  it('anyone what is public; a key all else, and it is counted and charged as everywhere', async () => {
    expect(resultOf(await call('echo', { q: 'Ulm' })).structuredContent).toEqual({ echo: { q: 'Ulm', limit: 10 } });
    const { key, org } = await server.key({ plan: 'free' });
    const paid = await call('units', { n: 3 }, { key });
    expect(resultOf(paid).structuredContent).toEqual({ n: 3 });
    expect(resultOf(await call('units', { n: 5, outcome: 'problem' }, { key })).structuredContent.code).toBe(
      'not_found',
    );
    expect(resultOf(await call('units', { n: 998 }, { key })).structuredContent).toMatchObject({
      code: 'quota_exceeded',
      used: 3,
      limit: 1000,
    });
    expect(await server.services.billing.usage(org.id)).toMatchObject({ used: 3 });
    const metrics = await server.services.metrics.registry.metrics();
    expect(metrics).toMatch(/boundary_calls_total\{[^}]*op="units"[^}]*transport="mcp"[^}]*\} \d/);
  });

  it('a call without the credential it needs is 401, and says who gives one', async () => {
    const reply = await call('units', { n: 1 });
    expect(reply.status).toBe(401);
    expect(reply.headers['www-authenticate']).toBe(
      `Bearer realm="boundary-lookup", resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp", scope="read"`,
    );
    expect(failed(reply)).toMatchObject({
      id: 1,
      error: { code: -32000, data: { code: 'unauthorized', status: 401 } },
    });
    const metadata = await server.ask('GET', '/.well-known/oauth-protected-resource/mcp');
    expect(metadata.json).toMatchObject({ resource: `${ORIGIN}/mcp` });
    expect((await call('get_thing', { id: 'r1', detail: 'full' })).status).toBe(401);
    expect(resultOf(await call('get_thing', { id: 'r1' })).structuredContent).toEqual({ id: 'r1' });
    expect((await call('units', { n: 'x' })).status).toBe(401);
    expect(resultOf(await call('get_thing', { id: 7, detail: 'full' })).structuredContent.code).toBe('invalid_input');
  });

  it('a bad credential is 401 whatever is asked', async () => {
    for (const [authorization, code, error] of [
      ['Bearer bnd_live_nonsense', 'invalid_key', ', error="invalid_token"'],
      ['Bearer nonsense', 'invalid_token', ', error="invalid_token"'],
      ['Basic bm9uc2Vuc2U=', 'unauthorized', ''],
    ]) {
      const reply = await list({ headers: { Authorization: defined(authorization) } });
      expect([reply.status, failed(reply).error.data.code], authorization).toEqual([401, code]);
      expect(reply.headers['www-authenticate']).toMatch(new RegExp(`protected-resource/mcp"${error}$`));
    }
  });

  it('a role that is too small is refused by the tool', async () => {
    const { key } = await server.key();
    expect(resultOf(await call('operators_only', {}, { key }))).toMatchObject({
      isError: true,
      structuredContent: { code: 'unauthorized', status: 401 },
    });
  });

  it('a cookie is not a credential here', async () => {
    const ann = await signIn(server, mailer.mails, 'ann@example.org', 'Ann');
    const cookie = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    expect((await call('get_account', {}, { headers: { Cookie: cookie, Origin: ORIGIN } })).status).toBe(401);
  });

  it('a token of OAuth for what its scope allows; for more it is 401, as by HTTP, with the scope to ask for', async () => {
    const ben = await signIn(server, mailer.mails, 'ben@example.org', 'Ben');
    const token = await tokenFor(ben, 'read');
    expect(resultOf(await call('get_account', {}, { key: token })).structuredContent.email).toBe('ben@example.org');
    const reply = await call('make_thing', { id: 1 }, { key: token });
    const byName = await server.ask('POST', '/v1/ops/make_thing', {
      json: { id: 1 },
      key: await tokenFor(ben, 'read'),
    });
    expect([reply.status, byName.status]).toEqual([401, 401]);
    expect(reply.headers['www-authenticate']).toContain('scope="write", error="insufficient_scope"');
    expect(failed(reply).error.data).toMatchObject({ code: 'unauthorized' });
    const writing = await tokenFor(ben, 'write');
    expect(resultOf(await call('make_thing', { id: 1 }, { key: writing })).structuredContent).toEqual({
      id: 1,
      body: '',
    });
    const agent = await connect('2026-07-28', `http://127.0.0.1:${port}`, token, ALL);
    expect((await agent.call('get_account')).data.email).toBe('ben@example.org');
    await agent.client.close();
  });
});

/** Goes through the whole flow, as a client and as its person. */
async function tokenFor(browser: ReturnType<typeof openBrowser>, scope: string): Promise<string> {
  const redirect = 'http://127.0.0.1:7777/callback';
  const registered = await openBrowser(server).ask('POST', '/oauth/reg', {
    json: { client_name: 'Atlas', redirect_uris: [redirect] },
  });
  const client_id = String(registered.json.client_id);
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id,
    redirect_uri: redirect,
    response_type: 'code',
    scope: 'read write',
    resource: `${ORIGIN}/mcp`,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const pathOf = (reply: Reply): string => String(reply.headers.location).replace(ORIGIN, '');
  const page = pathOf(await browser.get(`/oauth/auth?${query}`));
  const org = /name="org" value="([^"]+)"/.exec((await browser.get(page)).text)?.[1] ?? '';
  const back = pathOf(await browser.get(pathOf(await browser.post(page, { answer: 'allow', scope, org }))));
  const reply = await openBrowser(server).post('/oauth/token', {
    grant_type: 'authorization_code',
    client_id,
    code: String(new URL(back).searchParams.get('code')),
    redirect_uri: redirect,
    code_verifier: verifier,
  });
  return String(reply.json.access_token);
}

describe('limits', () => {
  it('are those of every transport: answers of the tool, or of HTTP where no tool is called', async () => {
    const config = { BASE_URL: ORIGIN, TRUSTED_PROXIES: '127.0.0.1' };
    const limited = await openTestServer(config, { limits: true, database: server.database });
    try {
      const ask = (message: object) =>
        limited.ask('POST', ALL, {
          json: { jsonrpc: '2.0', id: 7, ...message },
          headers: {
            Host: 'maps.example',
            Accept: 'application/json, text/event-stream',
            'X-Forwarded-For': '203.0.113.9',
          },
        });
      const first = await ask({ method: 'tools/list' });
      expect(Number(first.headers['ratelimit-remaining'])).toBe(Number(first.headers['ratelimit-limit']) - 1);
      let listed = first;
      for (let i = 0; i < 70 && listed.status === 200; i++) listed = await ask({ method: 'tools/list' });
      expect(listed.status).toBe(429);
      expect(Number(listed.headers['retry-after'])).toBeGreaterThan(0);
      expect(failed(listed)).toMatchObject({ id: 7, error: { data: { code: 'rate_limited' } } });
      const called = await ask({ method: 'tools/call', params: { name: 'echo', arguments: { q: 'Ulm' } } });
      expect(resultOf(called)).toMatchObject({ isError: true, structuredContent: { code: 'rate_limited' } });
    } finally {
      await limited.close();
    }
  });

  it('a body has a megabyte at most, and is one message', async () => {
    const large = await send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { padding: 'x'.repeat(2 ** 20) } });
    expect([large.status, failed(large).error.data.code]).toEqual([413, 'too_large']);
    for (const [body, code] of [
      ['{', -32700],
      ['[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', -32700],
      ['"text"', -32700],
    ] as const) {
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
      const reply = await server.ask('POST', '/mcp', { body, headers: { ...headers, Host: 'maps.example' } });
      expect([reply.status, failed(reply).error.code, failed(reply).id], body).toEqual([400, code, null]);
    }
    const reply = await server.ask('POST', '/mcp', { headers: { Host: 'maps.example' } });
    expect(reply.status).toBe(400);
    expect((await send({ jsonrpc: '2.0', id: 1 })).status).toBe(400);
  });

  it('nothing but POST is answered', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const reply = await server.ask(method, '/mcp', { headers: { Accept: 'text/event-stream' } });
      expect([reply.status, reply.headers.allow], method).toEqual([405, 'POST']);
    }
  });
});

describe('the guard', () => {
  it('answers to its own name and to loopback names with its port', async () => {
    for (const host of ['maps.example', `127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'MAPS.example']) {
      expect((await list({ headers: { Host: host } })).status, host).toBe(200);
    }
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${port + 1}`, 'localhost']) {
      const reply = await list({ headers: { Host: host } });
      expect([reply.status, reply.headers['www-authenticate']], host).toEqual([403, undefined]);
      expect(failed(reply).error.data.code).toBe('unauthorized');
    }
  });

  it('refuses pages of others', async () => {
    for (const origin of [ORIGIN, `http://localhost:${port}`, `http://127.0.0.1:${port}`]) {
      expect((await list({ headers: { Origin: origin } })).status, origin).toBe(200);
    }
    for (const origin of ['https://evil.example', 'null', 'http://maps.example', 'http://localhost', 'file://', '']) {
      expect((await list({ headers: { Origin: origin } })).status, origin).toBe(403);
    }
  });
});

describe('toolsets', () => {
  const namesOf = async (path: string) => {
    const { tools } = resultOf(await list({ path }));
    return tools.map(({ name }: { name: string }) => name) as string[];
  };

  it('are those of boundaries and files, all, or a list', async () => {
    const usual = await namesOf('/mcp');
    expect(usual).toEqual(expect.arrayContaining(['echo', 'echo_body', 'get_thing']));
    expect(usual).not.toContain('get_pricing');
    expect(await namesOf('/mcp?toolsets=')).toEqual(usual);
    // An import is for operators, in two calls of which the first has a file as its body: it is not a tool.
    const tools = server.services.ops.filter(({ name }) => name !== 'import_file' && name !== 'remove_source');
    expect(await namesOf('/mcp?toolsets=all')).toEqual(tools.map(({ name }) => name));
    const some = await namesOf('/mcp?toolsets=account,%20reviews');
    expect(some).toEqual(expect.arrayContaining(['get_pricing', 'list_reviews']));
    expect(some).not.toContain('echo');
  });

  it('one that is not there is refused with a list of those that are', async () => {
    const reply = await list({ path: '/mcp?toolsets=account,nonsense' });
    expect(reply.status).toBe(400);
    expect(failed(reply).error).toMatchObject({ code: -32602, data: { code: 'invalid_input' } });
    expect(failed(reply).error.message).toContain('the toolsets are all, boundaries,');
  });

  it('what is not in them is called all the same', async () => {
    const result = resultOf(await call('get_pricing', {}, { path: '/mcp' }));
    expect(result.isError).toBeUndefined();
    expect(JSON.parse(result.content[0].text).plans.length).toBeGreaterThan(0);
    const unknown = await call('get_prices', {}, { path: '/mcp' });
    expect(unknown.text).toContain('"code":-32602');
    expect(unknown.text).toContain('"title":"unknown_op"');
  });
});

describe.each(REVISIONS)('an agent of %s that waits no more', (era) => {
  it('has its call aborted, and pays nothing', async () => {
    const { key, org } = await server.key();
    const agent = await connect(era, `http://127.0.0.1:${port}`, key, ALL);
    const gate = `mcp-${era}`;
    const { aborted } = seen;
    const controller = new AbortController();
    const waiting = agent.call('wait', { gate, pay: 2 }, { signal: controller.signal });
    const settled = waiting.then(
      () => 'answered',
      () => 'canceled',
    );
    await until(() => waitResolvers.has(gate));
    controller.abort();
    expect(await settled).toBe('canceled');
    await until(() => seen.aborted > aborted);
    waitResolvers.get(gate)?.();
    await agent.client.close();
    expect(await server.services.billing.usage(org.id)).toMatchObject({ used: 0 });
  });

  it('or whose connection ends, too', async () => {
    const { key } = await server.key();
    const client = newClient(era);
    const stop = new AbortController();
    const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}${ALL}`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
      fetch: (url, init) =>
        fetch(url, { ...init, signal: AbortSignal.any([stop.signal, init?.signal].filter((one) => !!one)) }),
    });
    await client.connect(transport);
    const gate = `gone-${era}`;
    const { aborted } = seen;
    const waiting = agentOf(client).call('wait', { gate });
    const settled = waiting.catch(() => 'gone');
    await until(() => waitResolvers.has(gate));
    stop.abort();
    await until(() => seen.aborted > aborted);
    waitResolvers.get(gate)?.();
    await client.close();
    expect(await settled).toBe('gone');
  });
});

it('what fails on our side is an internal error that tells nothing of us', async () => {
  const { key } = await server.key();
  const result = resultOf(await call('units', { outcome: 'crash' }, { key }));
  expect(result).toMatchObject({ isError: true, structuredContent: { code: 'internal_error' } });
  expect(JSON.stringify(result)).not.toContain('hunter2');
  expect(server.logged.some((line) => line.includes('internal error'))).toBe(true);
});
