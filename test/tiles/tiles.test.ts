import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PMTiles } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { admitBy } from '../../src/app/admission.ts';
import { defined } from '../../src/common/elements.ts';
import { ANONYMOUS } from '../../src/core/op.ts';
import { createLimits } from '../../src/domain/billing/limits.ts';
import { ops } from '../../src/ops/index.ts';
import type { Services } from '../../src/services.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { writeArchive } from '../../src/tiles/archive.ts';
import { THIS_MACHINE } from '../../src/transports/addresses.ts';
import { listen } from '../../src/transports/http/listen.ts';
import { createHttpApp } from '../../src/transports/http_app.ts';
import { hasGdal, multiOf } from '../formats/gdal.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { fixtureWorld, SOUTH, WEST } from '../ops/fixture_world.ts';
import { dataDir } from '../proof/environment.ts';
import { luxembourg } from '../setup/luxembourg.ts';
import { type Decoded, decodeTile, doubleArea } from './decode.ts';

const LOW = -64;
const HIGH = 4096 + 64;

let server: BoundaryTestServer;
beforeAll(async () => {
  server = await openBoundaryTestServer({}, {}, undefined, dataDir ? luxembourg : undefined);
  await storeBoundaries({ db: server.services.db, engine: server.engine }, fixtureWorld());
});
afterAll(() => server?.close());

/** The tile that holds a point (degrees). */
function tileAt(lon: number, lat: number, z: number): { x: number; y: number } {
  const sine = Math.sin((lat * Math.PI) / 180);
  const across = 2 ** z;
  return {
    x: Math.floor((lon / 360 + 0.5) * across),
    y: Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * across),
  };
}

async function tile(z: number, x: number, y: number, query = ''): Promise<Record<string, Decoded[]>> {
  const reply = await server.get(`/tiles/boundaries/${z}/${x}/${y}.mvt${query}`);
  if (reply.status === 204) return {};
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/vnd.mapbox-vector-tile']);
  return decodeTile(reply.bytes);
}

type Ring = Decoded['parts'][number];

const onSide = (value: number): boolean => value === LOW || value === HIGH;

/** Edges of rings that are not made by clipping, each as text; `back`: walked the other way. */
function edgesOf(rings: readonly Ring[], back = false): string[] {
  return rings.flatMap((ring) =>
    ring.slice(1).flatMap((b, i) => {
      const a = defined(ring[i]);
      if ((a.x === b.x && onSide(a.x)) || (a.y === b.y && onSide(a.y))) return [];
      return back ? `${b.x} ${b.y} ${a.x} ${a.y}` : `${a.x} ${a.y} ${b.x} ${b.y}`;
    }),
  );
}

/** Rings of Luxembourg and, at level 6, of its cantons, which leave nothing of it out. */
const ringsAt = (areas: readonly Decoded[], level: number): Ring[] =>
  areas
    .filter(({ properties }) => properties.level === level && properties.country === 'LU')
    .flatMap(({ parts }) => parts);

/** Some tiles over Luxembourg at a zoom. */
function someTiles(z: number): [number, number][] {
  const from = tileAt(5.8, 50.15, z);
  const to = tileAt(6.5, 49.5, z);
  const all: [number, number][] = [];
  for (let x = from.x; x <= to.x; x++) for (let y = from.y; y <= to.y; y++) all.push([x, y]);
  // A few of many, spread out.
  const step = Math.max(1, Math.floor(all.length / 6));
  return all.filter((_, i) => i % step === 0);
}

describe.runIf(dataDir)('tiles of Luxembourg', () => {
  it.each([6, 8, 9, 10, 11, 12, 13, 14])(
    'cantons share every vertex at zoom %i, and each border is drawn once',
    async (z) => {
      let edges = 0;
      for (const [x, y] of someTiles(z)) {
        const { areas = [], lines = [] } = await tile(z, x, y);
        const country = new Set(edgesOf(ringsAt(areas, 2)));
        const cantons = ringsAt(areas, 6);
        const own = edgesOf(cantons);
        const others = new Set(edgesOf(cantons, true));
        expect(own.filter((edge) => !others.has(edge) && !country.has(edge))).toEqual([]);
        edges += own.length;
        const drawn = edgesOf(lines.flatMap(({ parts }) => parts));
        const either = [
          ...drawn,
          ...edgesOf(
            lines.flatMap(({ parts }) => parts),
            true,
          ),
        ];
        // The banks of a river that is narrower than the grid lie on each other: two borders of one area, each drawn once.
        const folded = new Set(
          areas.flatMap(({ parts }) => {
            const back = new Set(edgesOf(parts, true));
            return edgesOf(parts).filter((edge) => back.has(edge));
          }),
        );
        const times = new Map<string, number>();
        for (const edge of either) times.set(edge, (times.get(edge) ?? 0) + 1);
        expect([...times].filter(([edge, count]) => count > (folded.has(edge) ? 2 : 1))).toEqual([]);
        const borders = new Set(either);
        expect(edgesOf(areas.flatMap(({ parts }) => parts)).filter((edge) => !borders.has(edge))).toEqual([]);
        for (const area of areas) {
          expect(area.parts.every((ring) => ring.length >= 4 && doubleArea(ring) !== 0)).toBe(true);
          expect(doubleArea(defined(area.parts[0]))).toBeGreaterThan(0);
        }
      }
      expect(edges).toBeGreaterThan(z < 8 ? 1 : 10);
    },
  );

  it.each([10, 12])('tiles beside each other have the same vertices where both draw, at zoom %i', async (z) => {
    const { x, y } = tileAt(6.1, 49.8, z);
    const inside = (ring: Ring, from: number, to: number, axis: 'x' | 'y', by: number): string[] =>
      ring
        .filter((point) => point[axis] > from && point[axis] < to && Object.values(point).every((one) => !onSide(one)))
        .map((point) => (axis === 'x' ? `${point.x - by} ${point.y}` : `${point.x} ${point.y - by}`));
    for (const axis of ['x', 'y'] as const) {
      const one = await tile(z, x, y);
      const next = await tile(z, axis === 'x' ? x + 1 : x, axis === 'y' ? y + 1 : y);
      const of = (areas: readonly Decoded[], from: number, by: number) =>
        areas.flatMap(({ properties, parts }) =>
          parts.flatMap((ring) => inside(ring, from, from + 128, axis, by).map((text) => `${properties.id} ${text}`)),
        );
      const here = new Set(of(defined(one.areas), HIGH - 128, 4096));
      const there = new Set(of(defined(next.areas), LOW, 0));
      expect(here.size).toBeGreaterThan(0);
      expect([...here].filter((text) => !there.has(text))).toEqual([]);
      expect([...there].filter((text) => !here.has(text))).toEqual([]);
    }
  });

  it.runIf(hasGdal)('is clipped by GDAL, which refuses invalid polygons', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'boundary-clip-'));
    const run = promisify(execFile);
    const { x, y } = tileAt(6.1, 49.6, 6);
    const side = 40_075_016.685_578_488 / 2 ** 6;
    const west = -20_037_508.342_789_244 + x * side;
    const north = 20_037_508.342_789_244 - y * side;
    try {
      const reply = await server.get(`/tiles/boundaries/6/${x}/${y}.mvt`);
      await writeFile(join(folder, 'tile.mvt'), reply.bytes);
      /** The areas of the tile within a box (shares of its side, from the northwest), as GDAL reads them. */
      const within = async (left: number, top: number, right: number, bottom: number): Promise<Map<string, number>> => {
        const box = [west + left * side, north - bottom * side, west + right * side, north - top * side].map(String);
        const { stdout, stderr } = await run(
          'ogr2ogr',
          [
            ...['-f', 'GeoJSON', '-lco', 'RFC7946=NO', '-lco', 'COORDINATE_PRECISION=3', '-t_srs', 'EPSG:3857'],
            ...['-oo', `X=${x}`, '-oo', `Y=${y}`, '-oo', 'Z=6', '-clipsrc', ...box],
            ...['/vsistdout/', `MVT:${join(folder, 'tile.mvt')}`, 'areas'],
          ],
          { maxBuffer: 64e6 },
        );
        expect(stderr).toBe('');
        const found = new Map<string, number>();
        for (const { properties, geometry } of (JSON.parse(stdout) as GeoJSON.FeatureCollection).features) {
          const rings = multiOf(geometry).flat();
          const area = rings.reduce(
            (sum, ring) =>
              sum + doubleArea(ring.map(([px, py]) => ({ x: (px! - west) / side, y: (north - py!) / side }))),
            0,
          );
          found.set(properties?.id, (found.get(properties?.id) ?? 0) + Math.abs(area));
        }
        return found;
      };
      const whole = await within(0, 0, 1, 1);
      expect(whole.size).toBeGreaterThan(dataDir ? 10 : 0);
      const quarters = await Promise.all([
        within(0, 0, 0.5, 0.5),
        within(0.5, 0, 1, 0.5),
        within(0, 0.5, 0.5, 1),
        within(0.5, 0.5, 1, 1),
      ]);
      for (const [id, area] of whole) {
        expect(quarters.reduce((sum, one) => sum + (one.get(id) ?? 0), 0) / area, id).toBeCloseTo(1, 5);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('names what lies there, with labels in their own tile alone', async () => {
    const { x, y } = tileAt(6.13, 49.61, 8);
    const { areas, labels, lines } = await tile(8, x, y, '?lang=fr');
    const country = defined(areas).find(({ properties }) => properties.level === 2);
    expect(country).toMatchObject({ id: 2171347, type: 'polygon', properties: { id: 'r2171347', kind: 'country' } });
    expect(country?.properties.name).toBe('Luxembourg');
    expect(
      defined(labels).every(
        ({ parts }) => parts[0]?.[0] && parts[0][0].x >= 0 && parts[0][0].x < 4096 && parts[0][0].y >= 0,
      ),
    ).toBe(true);
    expect(defined(labels).every(({ properties }) => typeof properties.rank === 'number')).toBe(true);
    const levels = new Set(defined(lines).map(({ properties }) => properties.level));
    expect([...levels].sort()).toEqual([2, 4, 6, 8].filter((level) => levels.has(level)));
    expect(levels.has(2)).toBe(true);
  });
});

describe('a tile over HTTP', () => {
  const { x, y } = tileAt(WEST + 0.5, SOUTH + 0.5, 6);
  const path = `/tiles/boundaries/6/${x}/${y}.mvt`;

  it('has a tag, by which it is not sent again', async () => {
    const first = await server.get(path);
    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=60' });
    const etag = first.headers.etag as string;
    const again = await server.ask('GET', path, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('has the same head and bytes from memory as when it was made, in each coding and as a part', async () => {
    const at = tileAt(WEST + 0.5, SOUTH + 0.5, 7);
    const address = `/tiles/boundaries/7/${at.x}/${at.y}.mvt?lang=de`;
    const listening = await listen(
      createHttpApp(server.services, ops).callback(),
      { host: '127.0.0.1', port: 0 },
      'http://x',
    );
    try {
      const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
        const all = { 'Accept-Encoding': 'identity', 'X-Request-Id': 'of-this-test', ...headers };
        const reply = await fetch(listening.address + path, { method, headers: all });
        const bytes = Buffer.from(await reply.arrayBuffer());
        const { date: _date, connection: _one, 'keep-alive': _two, ...head } = Object.fromEntries(reply.headers);
        return { status: reply.status, head, bytes };
      };
      const { hits } = server.services.cache.tiers.tiles;
      const cold = await ask('GET', address);
      const hot = await ask('GET', address);
      expect(server.services.cache.tiers.tiles.hits).toBe(hits + 1);
      expect(hot).toEqual(cold);
      expect(cold.head).toMatchObject({
        'x-request-id': 'of-this-test',
        'x-content-type-options': 'nosniff',
        'content-length': String(cold.bytes.length),
        'accept-ranges': 'bytes',
      });
      const head = await ask('HEAD', address);
      expect([head.status, head.head, head.bytes.length]).toEqual([200, cold.head, 0]);
      for (const coding of ['gzip', 'br']) {
        const packed = await ask('GET', address, { 'Accept-Encoding': coding });
        expect([packed.head['content-encoding'], packed.bytes]).toEqual([coding, cold.bytes]);
      }
      const part = await ask('GET', address, { Range: 'bytes=10-19' });
      expect([part.status, part.bytes]).toEqual([206, cold.bytes.subarray(10, 20)]);
      const beyond = await ask('GET', address, { Range: 'bytes=99999999-' });
      expect([beyond.status, beyond.head['content-type']]).toEqual([416, 'application/problem+json']);
      const wrong = await ask('GET', address.replace('lang=de', 'lang=!'));
      expect([wrong.status, JSON.parse(wrong.bytes.toString()).code]).toEqual([400, 'invalid_input']);
      expect(wrong.head).toMatchObject({ 'x-request-id': 'of-this-test', 'cache-control': 'no-store' });
    } finally {
      await listening.close();
    }
  });

  it('has another tag once what lies in it has changed, whatever its name is then', async () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a name that looks like one.
    const name = '<img src=x onerror=alert(1)>\u202e"\'`${1}';
    const before = await server.get(path);
    const shown = defined(decodeTile(before.bytes).areas).find(({ properties }) => properties.level === 2);
    const { id } = shown?.properties ?? {};
    await server.services.db.query('update boundary set name = $2 where id = $1', [id, name]);
    // Another process may have changed it: that is noticed within a second.
    let after = await server.get(path);
    for (let tries = 0; tries < 400 && after.headers.etag === before.headers.etag; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      after = await server.get(path);
    }
    expect(after.headers.etag).not.toBe(before.headers.etag);
    const { areas } = decodeTile(after.bytes);
    expect(defined(areas).find(({ properties }) => properties.id === id)?.properties.name).toBe(name);
  });

  it('counts as one, and as a tenth where it is empty or the client has it', async () => {
    const counted: (readonly [string | undefined, number | undefined])[] = [];
    const admit: Services['admit'] = (_caller, _network, what, requests) => {
      counted.push([what, requests]);
      return { headers: {}, refused: null };
    };
    const app = createHttpApp({ ...server.services, admit }, ops);
    const listening = await listen(app.callback(), { host: '127.0.0.1', port: 0 }, 'https://maps.example/base');
    try {
      const first = await fetch(listening.address + path);
      await first.arrayBuffer();
      const headers = { 'If-None-Match': first.headers.get('etag') ?? '' };
      const again = await fetch(listening.address + path, { headers });
      const empty = await fetch(`${listening.address}/tiles/boundaries/10/0/512.mvt`);
      expect([first.status, again.status, empty.status]).toEqual([200, 304, 204]);
    } finally {
      await listening.close();
    }
    expect(counted).toEqual([10, 10, -9, 10, -9].map((tenths) => ['tile', tenths]));
  });

  it.each([
    ['192.0.2.1', 3_000],
    ['127.0.0.1', 30_000],
  ])('is refused to %s after %i in a minute', async (address, most) => {
    const limits = createLimits(server.services.db, { shared: false, now: () => 1_000_000 });
    const admit = admitBy(limits);
    const network = address === '127.0.0.1' ? THIS_MACHINE : address;
    let admitted = 0;
    while (admitted <= most && !(await admit(ANONYMOUS, network, 'tile', 10)).refused) admitted++;
    expect(admitted).toBe(most);
    await admit(ANONYMOUS, network, 'tile', -9);
    expect((await admit(ANONYMOUS, network, 'tile', 1)).refused).toBeNull();
  });

  it('is drawn once for all who ask at the same time', async () => {
    const place = tileAt(WEST + 0.5, SOUTH + 0.5, 9);
    // The pool may also pack the boxes of boundaries in the background, so its own counts say too much.
    const drawn = vi.spyOn(server.engine.documents, 'tile');
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => server.get(`/tiles/boundaries/9/${place.x}/${place.y}.mvt`)),
    );
    expect(new Set(replies.map(({ headers }) => headers.etag)).size).toBe(1);
    expect(drawn).toHaveBeenCalledTimes(1);
    drawn.mockRestore();
  });

  it.each([
    ['beyond the last zoom', '/tiles/boundaries/15/0/0.mvt', 404, 'not_found'],
    ['beyond the world', '/tiles/boundaries/2/4/0.mvt', 400, 'invalid_input'],
    ['no numbers', '/tiles/boundaries/1/a/0.mvt', 404, 'not_found'],
    ['a language that is none', '/tiles/boundaries/1/0/0.mvt?lang=%3Cscript%3E', 400, 'invalid_input'],
    ['a theme that is none', '/tiles/style.json?theme=pink', 400, 'invalid_input'],
  ])('refuses what is %s', async (_what, address, status, code) => {
    const reply = await server.get(address);
    expect([reply.status, reply.json.code]).toEqual([status, code]);
  });

  it('is 204 where nothing lies', async () => {
    const reply = await server.get('/tiles/boundaries/10/0/512.mvt');
    expect([reply.status, reply.bytes.length]).toEqual([204, 0]);
  });

  it('is described by TileJSON and drawn by a style', async () => {
    const described = JSON.parse((await server.get('/tiles/boundaries.json?lang=de-CH,fr')).text);
    expect(described).toMatchObject({ tilejson: '3.0.0', minzoom: 0, maxzoom: 14 });
    expect(described.tiles).toEqual(['https://maps.example/base/tiles/boundaries/{z}/{x}/{y}.mvt?lang=de-ch%2Cfr']);
    expect(described.attribution).toContain('the tests');
    const style = JSON.parse((await server.get('/tiles/style.json?theme=dark')).text);
    expect(style.version).toBe(8);
    const layers = new Set(described.vector_layers.map(({ id }: { id: string }) => id));
    for (const layer of style.layers) if (layer['source-layer']) expect(layers).toContain(layer['source-layer']);
  });
});

describe('an archive of the tiles', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'boundary-archive-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const write = (file: string, options: { maxZoom?: number; bbox?: readonly [number, number, number, number] } = {}) =>
    writeArchive(
      server.services,
      join(folder, file),
      { maxZoom: 6, bbox: null, prefer: [], part: 'all', metadata: { name: 'all' }, ...options },
      () => undefined,
    );
  /** The archive through the reader of the makers of the format. */
  async function opened(file: string): Promise<PMTiles> {
    const bytes = await readFile(join(folder, file));
    return new PMTiles({
      getKey: () => file,
      getBytes: async (offset, length) => ({ data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer }),
    });
  }

  it('has the tiles that the service answers, and no others', async () => {
    const { tiles, bytes } = await write('all.pmtiles');
    expect((await readdir(folder)).toSorted()).toEqual(['all.pmtiles']);
    expect((await stat(join(folder, 'all.pmtiles'))).size).toBe(bytes);
    const archive = await opened('all.pmtiles');
    let found = 0;
    for (let z = 0; z <= 6; z++) {
      // Around the made world, and the corners of the map.
      const { x, y } = tileAt(WEST / 1e7, SOUTH / 1e7, z);
      const near = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [x + dx, y + dy] as const));
      const last = 2 ** z - 1;
      for (const [column, row] of [...near, [0, 0] as const, [last, last] as const]) {
        if (column < 0 || row < 0 || column > last || row > last) continue;
        const reply = await server.get(`/tiles/boundaries/${z}/${column}/${row}.mvt`);
        const kept = await archive.getZxy(z, column, row);
        expect(kept === undefined ? null : Buffer.from(kept.data).toString('hex'), `${z}/${column}/${row}`).toEqual(
          reply.status === 204 ? null : Buffer.from(reply.bytes).toString('hex'),
        );
        if (kept) found++;
      }
    }
    expect(found).toBeGreaterThan(8);
    expect(tiles).toBeGreaterThanOrEqual(8);
    expect(await archive.getMetadata()).toEqual({ name: 'all' });
  });

  it('of a box has less, and one that cannot be written leaves nothing', async () => {
    const west = WEST / 1e7;
    const south = SOUTH / 1e7;
    const whole = await write('again.pmtiles');
    const some = await write('some.pmtiles', { bbox: [west, south, west + 0.01, south + 0.01] });
    expect(some.tiles).toBeLessThanOrEqual(whole.tiles);
    expect(some.tiles).toBeGreaterThan(0);
    const before = await readdir(folder);
    await expect(write('no such folder/x.pmtiles')).rejects.toThrow(/ENOENT/);
    expect(await readdir(folder)).toEqual(before);
  });
});
