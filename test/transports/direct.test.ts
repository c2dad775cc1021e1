import { afterAll, beforeAll, expect, test } from 'vitest';
import { routeFinder } from '../../src/transports/http/direct.ts';
import { openTestServer, type TestServer } from './test_server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer({}, { limits: true });
});
afterAll(() => server.close());

/** Headers that tell of the one request. */
const OWN = ['x-request-id', 'date', 'ratelimit-remaining', 'ratelimit-reset'];

// HEAD is Koa's, GET is answered before it.
test.each([
  ['an answer', '/v1/boundaries/search?q=Ulm'],
  ['an answer for a key', '/v1/boundaries/search?q=Ulm', true],
  ['a call that costs units, without a key', '/v1/boundaries/reverse?lat=1&lon=2'],
  ['an input that is refused', '/v1/boundaries/search?limit=900'],
  ['a member given twice', '/v1/boundaries/search?q=a&q=b'],
  ['malformed percent-encoding', '/v1/boundaries/%E0%A4'],
  ['malformed percent-encoding in the query', '/v1/boundaries/search?q=%E0%A4'],
])('%s has the same head, answered before Koa or by it', async (_what, path, keyed = false) => {
  const key = keyed ? (await server.key()).key : undefined;
  const [before, by] = [await server.ask('GET', path, { key }), await server.ask('HEAD', path, { key })];
  expect(before.status).toBe(by.status);
  const head = ({ headers }: typeof before) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.includes(name)));
  // A problem names its request: as long as any other.
  expect(head(before)).toEqual(head(by));
  expect(Object.keys(before.headers)).toEqual(expect.arrayContaining(OWN.slice(0, 2)));
  expect('ratelimit-remaining' in before.headers).toBe('ratelimit-remaining' in by.headers);
});

test('a request that fails is counted, and its problem has the id that the client chose', async () => {
  const id = 'chosen-by-the-client';
  const send = () => server.ask('GET', '/v1/boundaries/search?limit=900', { headers: { 'X-Request-Id': id } });
  const [one, two] = [await send(), await send()];
  expect(one.json).toMatchObject({ code: 'invalid_input', request_id: id });
  expect(one.headers['x-request-id']).toBe(id);
  const left = ({ headers }: typeof one) => Number(headers['ratelimit-remaining']);
  // Of the next minute, there is more.
  if (one.headers['ratelimit-reset'] !== '1') expect(left(two)).toBe(left(one) - 1);
});

test('of routes that fit a path, the one without parameters counts, then the first', () => {
  const find = routeFinder([
    ['/a/:b', 1],
    ['/a/c', 2],
    ['/a/:other/d', 3],
    ['/:x/y', 4],
  ]);
  expect(find('/a/c')).toEqual({ target: 2, params: {} });
  expect(find('/a/y')).toEqual({ target: 1, params: { b: 'y' } });
  expect(find('/z/y')).toEqual({ target: 4, params: { x: 'z' } });
  expect(find('/a/r%2F1/d')).toEqual({ target: 3, params: { other: 'r/1' } });
  expect(find('/a/')).toBeNull();
  expect(find('/a/b/c/d')).toBeNull();
  expect(() => find('/a/%E0%A4')).toThrow(URIError);
});
