import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { BASE_URL, type BoundaryTestServer, openBoundaryTestServer, type Reply } from '../ops/boundary_test_server.ts';
import { fixtureWorld } from '../ops/fixture_world.ts';

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
  ({ key } = await server.key());
});
afterAll(() => server?.close());

/** What answers of operations depend on. */
const VARY = 'Authorization, Accept-Language, Accept-Encoding, Boundary-Data';
const FULL = '/v1/boundaries/r100?detail=full';
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.ask(method, path, { headers, key: path.startsWith('/v1/exports') ? undefined : key });
const accepting = (path: string, encoding: string) => ask(path, { 'Accept-Encoding': encoding });
const coding = ({ headers }: Reply) => headers['content-encoding'];
const tagged = (tag: string | undefined, suffix: string) => `${tag?.slice(0, -1)}-${suffix}"`;

/** The address of an export that is kept, without the base. */
async function exported(format = 'geojson'): Promise<{ path: string; bytes: Buffer; tag: string }> {
  const reply = await ask(`/v1/boundaries/r100/export?format=${format}&detail=full`);
  const path = (reply.headers['content-location'] as string).slice(BASE_URL.length);
  return { path, bytes: reply.bytes, tag: reply.headers.etag as string };
}

describe('answers of operations', () => {
  it('are compressed as the client asks, with a tag for each representation', async () => {
    const plain = await ask(FULL);
    expect([plain.status, coding(plain), plain.headers.vary]).toEqual([200, undefined, VARY]);
    for (const [accepted, used, decode] of [
      ['gzip', 'gzip', gunzipSync],
      ['br', 'br', brotliDecompressSync],
      ['gzip;q=0.5, br', 'br', brotliDecompressSync],
      ['br;q=0, *', 'gzip', gunzipSync],
      // As browsers say it: alike, so that the smaller one is sent.
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip;q=0.8, br;q=0.8', 'br', brotliDecompressSync],
      ['gzip, br;q=0.9', 'gzip', gunzipSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
      ['gzip, xbr', 'gzip', gunzipSync],
      ['deflate, gzip;q=0.1, identity;q=0', 'gzip', gunzipSync],
    ] as const) {
      const reply = await accepting(FULL, accepted);
      expect([reply.status, coding(reply), reply.headers.vary], accepted).toEqual([200, used, VARY]);
      expect(reply.headers.etag).toBe(tagged(plain.headers.etag, used));
      expect(reply.headers['content-length']).toBe(String(reply.bytes.length));
      expect(reply.bytes.length).toBeLessThan(plain.bytes.length * 0.9);
      expect(decode(reply.bytes).equals(plain.bytes)).toBe(true);
    }
    for (const accepted of [
      'identity',
      'deflate',
      '',
      'gzip;q=0',
      'gzip;q=0.1, identity;q=0.2',
      'zstd, x-unknown;q=1',
    ]) {
      const reply = await accepting(FULL, accepted);
      expect([coding(reply), reply.headers.etag, reply.headers.vary], accepted).toEqual([
        undefined,
        plain.headers.etag,
        VARY,
      ]);
    }
  });

  it('a representation is made once, and is in the cache with its bytes', async () => {
    const path = '/v1/boundaries/r102?detail=full';
    const { encodings } = server.services.cache.tiers;
    const before = { ...encodings };
    const replies = await Promise.all(Array.from({ length: 5 }, () => accepting(path, 'gzip')));
    expect(new Set(replies.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1);
    expect(encodings.bytes - before.bytes).toBeGreaterThanOrEqual(defined(replies[0]).bytes.length);
    const { misses } = encodings;
    expect(coding(await accepting(path, 'gzip'))).toBe('gzip');
    expect([encodings.misses, encodings.hits > before.hits]).toEqual([misses, true]);
  });

  it('the same bytes under an address of their own are not compressed again', async () => {
    const { path } = await exported();
    await accepting(path, 'gzip');
    const { misses } = server.services.cache.tiers.encodings;
    expect(coding(await accepting('/v1/boundaries/r100/export?format=geojson&detail=full', 'gzip'))).toBe('gzip');
    expect(coding(await accepting(path, 'gzip'))).toBe('gzip');
    expect(server.services.cache.tiers.encodings.misses).toBe(misses);
  });

  it('If-None-Match is compared with the representation that would be sent, and a match is free', async () => {
    const mine = (await server.key()).key;
    const get = (headers: Record<string, string>) => server.ask('GET', FULL, { headers, key: mine });
    const gzip = await get({ 'Accept-Encoding': 'gzip' });
    const plain = await get({});
    const used = await server.used(mine);
    for (const [accepted, tag] of [
      ['gzip', gzip.headers.etag],
      ['gzip', `"other", W/${gzip.headers.etag}`],
      ['identity', plain.headers.etag],
      // No one has ever been sent it, but the tag tells what it would be.
      ['br', tagged(plain.headers.etag, 'br')],
    ] as const) {
      const reply = await get({ 'Accept-Encoding': accepted, 'If-None-Match': tag as string });
      expect([reply.status, reply.text, reply.headers.vary], `${accepted} ${tag}`).toEqual([304, '', VARY]);
      expect(reply.headers['content-type']).toBeUndefined();
    }
    expect(await server.used(mine)).toBe(used);
    for (const [accepted, tag] of [
      ['gzip', plain.headers.etag],
      ['identity', gzip.headers.etag],
      ['br', gzip.headers.etag],
      ['gzip', '*'],
    ] as const) {
      const reply = await get({ 'Accept-Encoding': accepted, 'If-None-Match': tag as string });
      expect(reply.status, `${accepted} ${tag}`).toBe(200);
    }
  });

  it('a tiny body is never compressed', async () => {
    const reply = await server.ask('POST', '/v1/boundaries/union', {
      json: { include: ['r101'], exclude: ['r100'] },
      headers: { 'Accept-Encoding': 'gzip' },
      key,
    });
    expect(reply.bytes.length).toBeLessThan(1024);
    expect([reply.status, coding(reply), reply.headers.vary]).toEqual([200, undefined, VARY]);
  });

  it('a union is compressed as a boundary is', async () => {
    const union = (headers: Record<string, string>) =>
      server.ask('POST', '/v1/boundaries/union', {
        json: { include: ['r101', 'r102'], detail: 'full' },
        headers,
        key,
      });
    const plain = await union({});
    const gzip = await union({ 'Accept-Encoding': 'gzip' });
    expect(coding(gzip)).toBe('gzip');
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
  });

  it('HEAD tells of the representation that GET would send', async () => {
    const get = await accepting(FULL, 'gzip');
    const head = await ask(FULL, { 'Accept-Encoding': 'gzip' }, 'HEAD');
    for (const name of ['content-encoding', 'etag', 'content-length', 'vary', 'content-type']) {
      expect(head.headers[name], name).toBe(get.headers[name]);
    }
    expect(head.text).toBe('');
  });
});

describe('exports by their address', () => {
  it('are compressed as the client asks', async () => {
    for (const format of ['geojson', 'kml', 'wkt', 'gml']) {
      const { path, bytes, tag } = await exported(format);
      const reply = await accepting(path, 'gzip');
      expect([reply.status, coding(reply), reply.headers.vary], format).toEqual([200, 'gzip', 'Accept-Encoding']);
      expect(reply.headers.etag).toBe(tagged(tag, 'gzip'));
      expect(gunzipSync(reply.bytes).equals(bytes)).toBe(true);
      const plain = await ask(path);
      expect([coding(plain), plain.headers.etag, plain.bytes.equals(bytes)]).toEqual([undefined, tag, true]);
      expect(plain.headers['cache-control']).toContain('immutable');
      expect(plain.headers['x-request-id']).toBeDefined();
    }
  });

  it('a range is of the bytes as they are, whatever coding is accepted', async () => {
    const { path, bytes, tag } = await exported();
    const all = { 'Accept-Encoding': 'gzip, br' };
    for (const [range, from, to] of [
      ['bytes=0-99', 0, 99],
      ['bytes=100-', 100, bytes.length - 1],
      ['bytes=-50', bytes.length - 50, bytes.length - 1],
      ['bytes=10-999999999', 10, bytes.length - 1],
    ] as const) {
      for (const condition of [{} as Record<string, string>, { 'If-Range': tag }]) {
        const reply = await ask(path, { ...all, ...condition, Range: range });
        expect([reply.status, coding(reply), reply.headers.etag], range).toEqual([206, undefined, tag]);
        expect(reply.headers['content-range']).toBe(`bytes ${from}-${to}/${bytes.length}`);
        expect(reply.headers['content-length']).toBe(String(to - from + 1));
        expect(reply.headers.vary).toBe('Accept-Encoding');
        expect(reply.bytes.equals(bytes.subarray(from, to + 1))).toBe(true);
      }
    }
  });

  it('what resumes an encoded or another file is sent all of it', async () => {
    const { path, bytes, tag } = await exported();
    for (const condition of [tagged(tag, 'gzip'), '"other"', `W/${tag}`, 'Sat, 21 Nov 2026 07:00:00 GMT']) {
      const reply = await ask(path, { 'Accept-Encoding': 'gzip', Range: 'bytes=5-', 'If-Range': condition });
      expect([reply.status, coding(reply), reply.headers['accept-ranges']], condition).toEqual([
        200,
        'gzip',
        undefined,
      ]);
      expect(gunzipSync(reply.bytes).equals(bytes)).toBe(true);
    }
    for (const range of ['bytes=0-1,4-5', 'items=0-1', 'bytes=9-3', 'bytes=-']) {
      const reply = await ask(path, { Range: range });
      expect([reply.status, reply.bytes.length, reply.headers['accept-ranges']], range).toEqual([
        200,
        bytes.length,
        'bytes',
      ]);
    }
  });

  it('a range beyond the end is 416 with the size', async () => {
    const { path, bytes } = await exported();
    for (const range of [`bytes=${bytes.length}-`, 'bytes=-0']) {
      const reply = await ask(path, { Range: range, 'Accept-Encoding': 'gzip' });
      expect([reply.status, reply.headers['content-range']], range).toEqual([416, `bytes */${bytes.length}`]);
      expect(reply.headers['content-type']).toBe('application/problem+json');
      expect(JSON.parse(reply.text)).toMatchObject({ status: 416, code: 'invalid_input', issues: [{ path: 'range' }] });
    }
  });

  it('304 comes before ranges, per representation; HEAD knows no ranges', async () => {
    const { path, bytes, tag } = await exported();
    const status = async (headers: Record<string, string>, method = 'GET') => (await ask(path, headers, method)).status;
    expect(await status({ 'If-None-Match': tag })).toBe(304);
    expect(await status({ 'If-None-Match': tag, Range: 'bytes=0-4', 'Accept-Encoding': 'gzip' })).toBe(304);
    expect(await status({ 'If-None-Match': tag, 'Accept-Encoding': 'gzip' })).toBe(200);
    expect(await status({ 'If-None-Match': tagged(tag, 'gzip'), 'Accept-Encoding': 'gzip' })).toBe(304);
    expect(await status({ 'If-None-Match': '"x"', Range: 'bytes=0-4' })).toBe(206);
    const head = await ask(path, { Range: 'bytes=0-4' }, 'HEAD');
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, String(bytes.length), '']);
  });

  it('are served from memory, and as not_found when they are not kept', async () => {
    const { path, bytes } = await exported('kml');
    const { hits } = server.services.cache.tiers.exports;
    expect((await ask(path)).bytes.equals(bytes)).toBe(true);
    expect(server.services.cache.tiers.exports.hits).toBeGreaterThan(hits);
    for (const other of [path.replace('.kml', '.gml'), path.replace('.kml', ''), `/v1/exports/${'0'.repeat(64)}.kml`]) {
      const reply = await ask(other);
      expect([reply.status, reply.json.code, reply.headers['content-encoding']], other).toEqual([
        404,
        'not_found',
        undefined,
      ]);
    }
    expect((await server.ask('POST', path, {})).status).toBe(405);
    expect((await server.ask('OPTIONS', path, {})).headers['access-control-allow-methods']).toBe('GET, HEAD');
    expect((await ask(`${path}?x=1`)).status).toBe(200);
  });
});

it('GET /v1 is compressed as the client asks, and has a tag', async () => {
  const plain = await ask('/v1');
  const gzip = await accepting('/v1', 'gzip');
  expect([coding(gzip), gzip.headers.etag]).toEqual(['gzip', tagged(plain.headers.etag, 'gzip')]);
  expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true);
  expect(gzip.bytes.length).toBeLessThan(plain.bytes.length / 3);
});

describe('lists', () => {
  const found = (encoding?: string) =>
    server.ask('GET', '/v1/boundaries/search?q=commune&prefix=true&names=all', {
      headers: encoding === undefined ? {} : { 'Accept-Encoding': encoding },
    });

  it('are compressed when they are long, and only then', async () => {
    const plain = await found();
    // The names of communes in two hundred languages make the list a long one.
    await server.services.db.query(
      `update boundary set names = (select jsonb_object_agg('x' || n, name || n) from generate_series(1, 200) as n) where admin_level = 8`,
    );
    const long = await found();
    expect([plain.bytes.length < 16_384, long.bytes.length > 16_384]).toEqual([true, true]);
    expect([plain.headers.vary, long.headers.vary]).toEqual([VARY, VARY]);
    const gzip = await found('br, gzip');
    expect([coding(gzip), gzip.headers.vary, gzip.headers['content-type']]).toEqual([
      'gzip',
      VARY,
      'application/json; charset=utf-8',
    ]);
    expect(gzip.headers['content-length']).toBe(String(gzip.bytes.length));
    expect(gunzipSync(gzip.bytes).equals(long.bytes)).toBe(true);
    for (const accepted of ['br', 'identity', 'gzip;q=0', 'gzip;q=0.1, identity']) {
      expect(coding(await found(accepted)), accepted).toBeUndefined();
    }
  });
});
