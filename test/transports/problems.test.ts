import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS, type ProblemCode } from '../../src/core/errors.ts';
import { takeUndeclared } from '../setup/undeclared.ts';
import { type AskOptions, openTestServer, type Reply, type TestServer } from './test_server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await openTestServer();
  key = (await server.key()).key;
});
afterAll(() => server.close());

/** Every failure has the fields of a problem document (docs/contract.md, Errors), whatever the path. */
function expectProblem(reply: Reply, code: ProblemCode): void {
  expect(reply.json, reply.text).toMatchObject({
    type: `https://maps.example/base/docs/errors#${code}`,
    title: code,
    code,
    status: PROBLEMS[code].status,
    detail: expect.stringMatching(/\S/),
    request_id: reply.headers['x-request-id'],
  });
  expect(reply.status).toBe(PROBLEMS[code].status);
  expect(reply.headers['content-type']).toBe('application/problem+json');
}

const paths = (reply: Reply): string[] => (reply.json.issues as { path: string }[]).map((issue) => issue.path).sort();
const long = `"${'x'.repeat(2 ** 16)}"`;

const cases: [string, ProblemCode, string, string, AskOptions?][] = [
  ['an unknown path', 'not_found', 'GET', '/nowhere'],
  ['an unknown path under /v1', 'not_found', 'GET', '/v1/nowhere'],
  ['POST on the root', 'method_not_allowed', 'POST', '/'],
  ['two slashes', 'not_found', 'GET', '/v1/boundaries//children'],
  ['a path in other letters', 'not_found', 'GET', '/V1/pricing'],
  ['an unencoded way', 'invalid_id', 'GET', '/v1/boundaries/way/5'],
  ['a path for an operation that has none', 'not_found', 'OPTIONS', '/v1/nowhere'],
  ['an unknown operation', 'unknown_op', 'POST', '/v1/ops/fly'],
  ['an unknown operation by GET', 'unknown_op', 'GET', '/v1/ops/fly'],
  ['an inherited name as operation', 'unknown_op', 'POST', '/v1/ops/constructor'],
  ['GET on a route that takes POST', 'method_not_allowed', 'GET', '/v1/boundaries/union'],
  ['DELETE where an id would fit', 'method_not_allowed', 'DELETE', '/v1/boundaries/search'],
  ['POST on a route that takes GET', 'method_not_allowed', 'POST', '/v1/pricing', { json: {} }],
  ['an odd method', 'method_not_allowed', 'PROPFIND', '/v1/pricing'],
  ['GET on an operation that writes', 'method_not_allowed', 'GET', '/v1/ops/create_api_key'],
  ['PUT on an operation', 'method_not_allowed', 'PUT', '/v1/ops/echo', { json: { q: 'x' } }],
  ['POST on the listing', 'method_not_allowed', 'POST', '/v1'],
  ['POST on a probe', 'method_not_allowed', 'POST', '/healthz'],
  [
    'broken JSON',
    'invalid_json',
    'POST',
    '/v1/ops/echo',
    { body: '{"q":', headers: { 'Content-Type': 'application/json' } },
  ],
  ['a JSON array', 'invalid_json', 'POST', '/v1/ops/echo', { json: ['x'] }],
  ['JSON null', 'invalid_json', 'POST', '/v1/ops/echo', { json: null }],
  ['a JSON string', 'invalid_json', 'POST', '/v1/boundaries/union', { json: 'x' }],
  [
    'another content type',
    'invalid_json',
    'POST',
    '/v1/ops/echo',
    { body: '{"q":"x"}', headers: { 'Content-Type': 'text/plain' } },
  ],
  [
    'a form',
    'invalid_json',
    'POST',
    '/v1/ops/echo',
    { body: 'q=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
  ],
  ['no content type', 'invalid_json', 'POST', '/v1/ops/echo', { body: '{"q":"x"}' }],
  [
    'another charset',
    'invalid_json',
    'POST',
    '/v1/ops/echo',
    { body: '{"q":"x"}', headers: { 'Content-Type': 'application/json; charset=utf-16' } },
  ],
  [
    'a compressed body',
    'invalid_json',
    'POST',
    '/v1/ops/echo',
    { json: { q: 'x' }, headers: { 'Content-Encoding': 'gzip' } },
  ],
  [
    'a body that is not UTF-8',
    'invalid_json',
    'POST',
    '/v1/ops/echo',
    { body: Buffer.from('{"q":"\xe9"}', 'latin1'), headers: { 'Content-Type': 'application/json' } },
  ],
  ['?input= that is not JSON', 'invalid_json', 'GET', '/v1/ops/echo?input=%7Bq'],
  ['?input= that is not an object', 'invalid_json', 'GET', '/v1/ops/echo?input=%5B%5D'],
  ['an empty ?input=', 'invalid_json', 'GET', '/v1/ops/echo?input='],
  ['a body and ?input=', 'invalid_input', 'POST', '/v1/ops/echo?input=%7B%7D', { json: { q: 'x' } }],
  ['?input= twice', 'invalid_input', 'GET', '/v1/ops/echo?input=%7B%7D&input=%7B%7D'],
  ['other members beside ?input=', 'invalid_input', 'GET', '/v1/ops/echo?q=x'],
  [
    'a query on a route that takes a body',
    'invalid_input',
    'POST',
    '/v1/boundaries/union?note=x',
    { json: { include: ['r1'] } },
  ],
  ['a duplicated query member', 'invalid_input', 'GET', '/v1/boundaries/search?q=a&q=b'],
  ['a path parameter in the query too', 'invalid_input', 'GET', '/v1/boundaries/r1?id=r2'],
  ['a path parameter in the body too', 'invalid_input', 'POST', '/v1/things/1', { json: { id: 1 }, key: 'KEY' }],
  ['malformed percent-encoding in the path', 'invalid_input', 'GET', '/v1/boundaries/%E0%A4'],
  ['a lone percent sign', 'invalid_input', 'GET', '/v1/boundaries/100%'],
  ['malformed percent-encoding on an unknown path', 'invalid_input', 'GET', '/nowhere/%zz'],
  ['malformed percent-encoding in the query', 'invalid_input', 'GET', '/v1/boundaries/search?q=%E0%A4'],
  ['malformed UTF-8 in a query name', 'invalid_input', 'GET', '/v1/boundaries/search?q=a&%ff=b'],
  ['raw bytes above ASCII', 'invalid_input', 'GET', '/v1/boundaries/search?q=Z\u00fcrich'],
  ['U+0000', 'invalid_input', 'GET', '/v1/boundaries/search?q=%00'],
  ['U+0000 in the path', 'invalid_input', 'GET', '/v1/boundaries/r%001'],
  ['U+0000 in the path of a file', 'invalid_input', 'GET', '/v1/files/file%00/content?link=x'],
  ['U+0000 in the name of a collection', 'invalid_input', 'GET', '/ogc/collections/set-a%00b/items', { key: 'KEY' }],
  [
    'half a surrogate pair',
    'invalid_input',
    'POST',
    '/v1/ops/echo',
    { body: '{"q":"\\ud800"}', headers: { 'Content-Type': 'application/json' } },
  ],
  [
    '__proto__ as a member',
    'invalid_input',
    'POST',
    '/v1/ops/echo',
    { body: '{"q":"x","__proto__":{"limit":3}}', headers: { 'Content-Type': 'application/json' } },
  ],
  [
    'a deep value',
    'invalid_input',
    'POST',
    '/v1/ops/echo',
    { body: `{"q":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, headers: { 'Content-Type': 'application/json' } },
  ],
  [
    'a body over 64 KiB',
    'too_large',
    'POST',
    '/v1/ops/echo',
    { body: `{"q":${long}}`, headers: { 'Content-Type': 'application/json' } },
  ],
  ['no key', 'unauthorized', 'GET', '/v1/account'],
  ['a key for more than the caller may', 'unauthorized', 'GET', '/v1/operators-only', { key: 'KEY' }],
  ['an input that needs a key', 'unauthorized', 'GET', '/v1/boundaries/r1?detail=full'],
  ['another scheme', 'unauthorized', 'GET', '/v1/account', { headers: { Authorization: 'Basic dTpw' } }],
  [
    'another scheme on a public operation',
    'unauthorized',
    'GET',
    '/v1/pricing',
    { headers: { Authorization: 'Basic dTpw' } },
  ],
  ['a made-up key', 'invalid_key', 'GET', '/v1/account', { key: 'bnd_live_abc' }],
  ['a made-up key on a public operation', 'invalid_key', 'GET', '/v1/pricing', { key: 'bnd_live_abc' }],
  ['another bearer', 'invalid_token', 'GET', '/v1/account', { key: 'eyJhbGciOi' }],
  ['an empty bearer', 'invalid_token', 'GET', '/v1/pricing', { headers: { Authorization: 'Bearer ' } }],
  ['an exception', 'internal_error', 'GET', '/v1/units?outcome=crash&n=0', { key: 'KEY' }],
  ['an answer that is not what is declared', 'internal_error', 'GET', '/v1/misdeclared'],
  ['metrics through a proxy', 'unauthorized', 'GET', '/metrics', { headers: { 'X-Forwarded-For': '203.0.113.9' } }],
];

describe('problem documents', () => {
  test.each(cases)('%s: %s', async (_name, code, method, path, options = {}) => {
    const reply = await server.ask(method, path, options.key === 'KEY' ? { ...options, key } : options);
    expectProblem(reply, code);
    if (reply.status === 401) expect(reply.headers['www-authenticate']).toMatch(/^Bearer realm=/);
    if (reply.status === 405) expect(reply.headers.allow).toMatch(/^[A-Z, ]+$/);
    expect(takeUndeclared()).toHaveLength(path === '/v1/misdeclared' ? 1 : 0);
    if (code === 'invalid_input') expect((reply.json.issues as unknown[]).length).toBeGreaterThan(0);
  });

  test('under /v1 they come whatever Accept says, and to HEAD without a body', async () => {
    for (const accept of ['text/html', 'application/json', 'image/png;q=0.1']) {
      expectProblem(await server.ask('GET', '/v1/nowhere', { headers: { Accept: accept } }), 'not_found');
    }
    const head = await server.ask('HEAD', '/v1/nowhere');
    expect([head.status, head.headers['content-type'], head.text]).toEqual([404, 'application/problem+json', '']);
  });

  test('Allow names what the path answers', async () => {
    const allow = async (method: string, path: string) => (await server.ask(method, path)).headers.allow;
    expect(await allow('GET', '/v1/boundaries/union')).toBe('POST');
    expect(await allow('POST', '/v1/boundaries/search')).toBe('GET, HEAD');
    expect(await allow('PUT', '/v1/api-keys')).toBe('GET, HEAD, POST');
    expect(await allow('GET', '/v1/ops/create_api_key')).toBe('POST');
    expect(await allow('DELETE', '/v1/ops/echo')).toBe('GET, HEAD, POST');
  });

  test('every problem of the input is reported at once, with its place', async () => {
    const json = { limit: 0, ratio: 'much', mine: 'perhaps', kinds: ['city', 'moon'], color: 'red', size: 2 };
    const reply = await server.ask('POST', '/v1/ops/echo', { json });
    expectProblem(reply, 'invalid_input');
    expect(paths(reply)).toEqual(['color', 'kinds.1', 'limit', 'mine', 'q', 'ratio', 'size']);
    expect(reply.json.issues).toContainEqual({ path: 'q', code: 'missing', message: 'required' });
    expect(reply.json.issues).toContainEqual({ path: 'size', code: 'unknown_field', message: 'unknown field' });
  });

  test('a hostile input does not get an endless answer', async () => {
    const json = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`x${'y'.repeat(30)}${i}`, '\0']));
    const reply = await server.ask('POST', '/v1/ops/echo', { json });
    expectProblem(reply, 'invalid_input');
    expect(reply.text.length).toBeLessThan(20_000);
  });

  test('nothing is clamped or coerced in JSON', async () => {
    for (const json of [
      { q: 'x', limit: 41 },
      { q: 'x', limit: '10' },
      { q: 5 },
      { q: 'x', limit: 1.5 },
      { q: 'x', kinds: 'city' },
    ]) {
      expectProblem(await server.ask('POST', '/v1/ops/echo', { json }), 'invalid_input');
    }
  });

  test('a query coerces what is written as a number or a boolean, and nothing else', async () => {
    for (const limit of ['', 'ten', '1e', '0x10', ' 5', '+5', '1.5', '41', '-1', 'NaN', 'Infinity', '1e999']) {
      const reply = await server.ask('GET', `/v1/boundaries/search?q=x&limit=${encodeURIComponent(limit)}`);
      expectProblem(reply, 'invalid_input');
      expect(paths(reply)).toEqual(['limit']);
    }
  });

  test('an exception is logged with the request id and reported without its message', async () => {
    const reply = await server.ask('GET', '/v1/units?outcome=crash&n=0', {
      key,
      headers: { 'X-Request-Id': 'crash-0001' },
    });
    expect(reply.text).not.toMatch(/hunter2|secret|stack|server\.ts/);
    const line = server.logged.find((text) => text.includes('crash-0001') && text.includes('internal error')) as string;
    expect(line).toContain('server.ts');
    expect(line).not.toMatch(/hunter2|eve@example/);
  });

  test('no key, email or authorization header is ever logged', async () => {
    await server.ask('GET', '/v1/account', { key });
    const all = server.logged.join('');
    expect(all).toContain('get_account');
    expect(all).not.toMatch(/bnd_live_|@example\.org|Bearer [^[]/);
  });

  test('what is not HTTP is answered as a problem too', async () => {
    const answer = await server.raw('GET /v1/pricing HTTP/1.1\r\nHost x\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"invalid_input"');
    const large = await server.raw(`GET /v1/pricing?${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(large).toMatch(/^HTTP\/1\.1 413 /);
    expect(large).toContain('"code":"too_large"');
  });

  test('a problem cannot be told apart by its own extra members', async () => {
    const { problem, toProblemDocument } = await import('../../src/core/errors.ts');
    const document = toProblemDocument(problem('not_found', 'x', { status: 200, code: 'ok', used: 1 }), 'request1', '');
    expect(document).toMatchObject({ status: 404, code: 'not_found', used: 1 });
  });
});
