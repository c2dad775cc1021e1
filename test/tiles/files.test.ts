import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { ops } from '../../src/ops/index.ts';
import type { Services } from '../../src/services.ts';
import { listen } from '../../src/transports/http/listen.ts';
import { createHttpApp } from '../../src/transports/http_app.ts';
import {
  type FileBody,
  type LibraryTestServer,
  type OrgMember,
  type OrgMembers,
  openLibraryTestServer,
} from '../library/library_test_server.ts';
import { BASE_URL } from '../ops/boundary_test_server.ts';
import { type Decoded, decodeTile, doubleArea } from './decode.ts';

let server: LibraryTestServer;
let staff: OrgMembers;
let strangers: OrgMembers;
beforeAll(async () => {
  server = await openLibraryTestServer();
  staff = await server.staff();
  strangers = await server.staff();
});
afterAll(() => server?.close());

type Input = Record<string, unknown>;

const save = (input: Input, by: OrgMember): Promise<FileBody> => server.ok('save_file', input, by);

const COLLECTION = { ids: ['r100', 'r111', 'r122', 'r121', 'r600', 'w500'], tolerance_m: 64 };

/** The column or row of a longitude or latitude, in tiles of a zoom. */
const columnOf = (lon: number, z: number): number => (lon / 360 + 0.5) * 2 ** z;
function rowOf(lat: number, z: number): number {
  const sine = Math.sin((lat * Math.PI) / 180);
  return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z;
}

const tile = (id: string, z: number, x: number, y: number, by?: OrgMember, headers?: Record<string, string>) =>
  server.ask('GET', `/tiles/files/${id}/${z}/${x}/${y}.mvt`, { key: by?.key, headers });

/** A tile that the files below lie in. */
const HERE = [5, Math.floor(columnOf(-29.5, 5)), Math.floor(rowOf(30.5, 5))] as const;

describe('the tiles of a file', () => {
  it('have its areas, as large as they are, with their properties', async () => {
    const { id, url } = await save({ boundary_id: 'r111', detail: 'high' }, staff.member);
    const file = JSON.parse((await server.content(url, staff.member)).text);
    const rings: [number, number][][] =
      file.geometry.type === 'Polygon' ? file.geometry.coordinates : file.geometry.coordinates.flat();
    const [z, x, y] = HERE;
    const reply = await tile(id, z, x, y, staff.member);
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/vnd.mapbox-vector-tile']);
    const { areas = [], lines = [], labels = [] } = decodeTile(reply.bytes);
    expect(areas.map(({ properties }) => [properties.id, properties.name])).toEqual([['r111', file.properties.name]]);
    expect(lines.length).toBeGreaterThan(0);
    expect(labels).toHaveLength(1);
    const wanted = rings.reduce((sum, ring) => {
      const points = ring.map(([lon, lat]) => ({ x: 4096 * columnOf(lon, z), y: 4096 * rowOf(lat, z) }));
      return sum + doubleArea(points);
    }, 0);
    const found = (areas[0] as Decoded).parts.reduce((sum, ring) => sum + doubleArea(ring), 0);
    expect(Math.abs(found / wanted) - 1).toBeCloseTo(0, 1);
  });

  it.each(['geojsonseq', 'ndjson', 'topojson'])('of %s are those of the same areas in GeoJSON', async (format) => {
    const one = await save({ collection: COLLECTION, format: 'geojson' }, staff.member);
    const other = await save({ collection: COLLECTION, format }, staff.member);
    let compared = 0;
    for (let z = 0; z <= 9; z++) {
      const [x, y] = [Math.floor(columnOf(-28.6, z)), Math.floor(rowOf(30.6, z))];
      const [a, b] = [await tile(one.id, z, x, y, staff.member), await tile(other.id, z, x, y, staff.member)];
      expect([z, b.status]).toEqual([z, a.status]);
      if (a.status === 204) continue;
      const shapes = (bytes: Uint8Array) => {
        const { areas = [] } = decodeTile(bytes);
        return new Map(
          areas.map(({ properties, parts }) => [properties.id, parts.reduce((sum, ring) => sum + doubleArea(ring), 0)]),
        );
      };
      expect(shapes(b.bytes)).toEqual(shapes(a.bytes));
      compared += shapes(a.bytes).size;
    }
    expect(compared).toBeGreaterThan(10);
  });

  it('are described by a TileJSON that says no more than the file', async () => {
    const { id } = await save({ boundary_id: 'r111', detail: 'high', name: 'Mine <b>' }, staff.member);
    const reply = await server.ask('GET', `/tiles/files/${id}.json`, { key: staff.viewer.key });
    expect(JSON.parse(reply.text)).toMatchObject({
      tilejson: '3.0.0',
      tiles: [`${BASE_URL}/tiles/files/${id}/{z}/{x}/{y}.mvt`],
      maxzoom: 14,
    });
    expect((await server.ask('GET', `/tiles/files/${id}.json`)).status).toBe(401);
    expect((await server.ask('GET', `/tiles/files/${id}.json`, { key: strangers.owner.key })).status).toBe(404);
  });
});

describe('access is asked for at every tile', () => {
  it('of a restricted file: a share gives it, the end of the share takes it', async () => {
    const { id } = await save({ boundary_id: 'r112', visibility: 'restricted' }, staff.member);
    const asked = async (by?: OrgMember) => (await tile(id, ...HERE, by)).status;
    expect(await asked(staff.member)).toBe(200);
    expect(await Promise.all([asked(staff.other), asked(strangers.owner), asked()])).toEqual([404, 404, 401]);
    await server.ok('share_file', { id, user: staff.other.email, access: 'read' }, staff.member);
    const { shares } = await server.ok('get_file', { id }, staff.member);
    const grant_id = shares?.[0]?.grant_id;
    expect(await asked(staff.other)).toBe(200);
    await server.ok('unshare_file', { id, grant_id }, staff.member);
    expect(await asked(staff.other)).toBe(404);
    await server.ok('delete_file', { id }, staff.member);
    expect(await asked(staff.member)).toBe(404);
  });

  it('also where the caller has the tile already, and by no shared cache', async () => {
    const { id } = await save({ boundary_id: 'r113', visibility: 'restricted' }, staff.member);
    const first = await tile(id, ...HERE, staff.member);
    expect(first.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'same-origin',
    });
    const known = { 'If-None-Match': first.headers.etag as string };
    expect((await tile(id, ...HERE, staff.member, known)).status).toBe(304);
    expect((await tile(id, ...HERE, staff.other, known)).status).toBe(404);
    const empty = await tile(id, 9, 0, 0, staff.member);
    expect([empty.status, empty.headers['cache-control']]).toEqual([204, 'private, no-cache']);
  });

  it('until its time is over, whether or not it is swept', async () => {
    const { id, url } = await save({ boundary_id: 'r121', visibility: 'restricted' }, staff.member);
    await server.services.db.query(`update file set expires_at = now() - interval '1 second' where id = $1`, [id]);
    expect((await tile(id, ...HERE, staff.member)).status).toBe(404);
    expect((await server.content(url, staff.member)).status).toBe(404);
  });

  it('before the place is looked at', async () => {
    const { id } = await save({ boundary_id: 'r122', visibility: 'restricted' }, staff.member);
    for (const [z, x, y] of [
      [99, 0, 0],
      [2, 999_999_999, 999_999_999],
      [15, 0, 0],
    ]) {
      expect((await tile(id, defined(z), defined(x), defined(y), staff.other)).status).toBe(404);
      expect((await tile(id, defined(z), defined(x), defined(y))).status).toBe(401);
    }
    expect((await tile(id, 2, 4, 0, staff.member)).json.code).toBe('invalid_input');
    expect((await tile(id, 15, 0, 0, staff.member)).status).toBe(404);
  });

  it('of a key that is none: the tries are counted as calls, too', async () => {
    const counted: (readonly [string | undefined, number | undefined])[] = [];
    const admit: Services['admit'] = (_caller, _network, what, requests) => {
      counted.push([what, requests]);
      return { headers: {}, refused: null };
    };
    const app = createHttpApp({ ...server.services, admit }, ops);
    const listening = await listen(app.callback(), { host: '127.0.0.1', port: 0 }, BASE_URL);
    try {
      const headers = { Authorization: `Bearer bnd_live_${'x'.repeat(40)}` };
      const reply = await fetch(`${listening.address}/tiles/files/file_x/0/0/0.mvt`, { headers });
      expect(reply.status).toBe(401);
      await reply.body?.cancel();
    } finally {
      await listening.close();
    }
    expect(counted).toEqual([
      ['tile', 10],
      [undefined, undefined],
    ]);
  });
});

describe('a file that has no tiles', () => {
  it.each(['kml', 'wkt', 'gml', 'svg'])('of %s says which formats have', async (format) => {
    const { id } = await save({ boundary_id: 'r123', format }, staff.member);
    const reply = await tile(id, ...HERE, staff.member);
    expect([reply.status, reply.json.code, reply.json.detail]).toEqual([
      400,
      'invalid_input',
      expect.stringContaining('geojson, geojsonseq, ndjson, topojson'),
    ]);
  });

  it('is too large to be read into memory', async () => {
    const { id } = await save({ boundary_id: 'r131' }, staff.member);
    const { entry } = await server.services.files.get({ account: staff.member.id, org: staff.org, role: 'member' }, id);
    await server.services.db.query('update file_blob set bytes = 20000000 where sha256 = $1', [entry.sha256]);
    const reply = await tile(id, ...HERE, staff.member);
    expect([reply.status, reply.json.code]).toEqual([413, 'too_large']);
    await server.services.db.query('update file_blob set bytes = $2 where sha256 = $1', [entry.sha256, entry.bytes]);
  });
});

it('reads a file once for 64 that ask for cold tiles at the same time', async () => {
  const { id } = await save({ collection: COLLECTION, format: 'ndjson', detail: 'low' }, staff.member);
  const before = server.engine.pool.counts.completed;
  const places = Array.from({ length: 64 }, (_, i) => {
    const z = 6 + (i % 4);
    return [z, Math.floor(columnOf(-29.9 + (i / 64) * 3, z)), Math.floor(rowOf(30.5, z))] as const;
  });
  const replies = await Promise.all(places.map((place) => tile(id, ...place, staff.member)));
  expect(replies.map(({ status }) => status).filter((status) => status !== 200 && status !== 204)).toEqual([]);
  const different = new Set(places.map((place) => place.join())).size;
  expect(server.engine.pool.counts.completed - before).toBeLessThanOrEqual(different + 1);
});
