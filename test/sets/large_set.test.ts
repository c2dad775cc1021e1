/** A set with more areas than a selection may have, as a map: each tile has the largest areas that meet it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LibraryTestServer, type OrgMember, openLibraryTestServer } from '../library/library_test_server.ts';
import { SOUTH, WEST } from '../ops/fixture_world.ts';
import { decodeTile } from '../tiles/decode.ts';
import { cell, fileOf } from './made_set.ts';

/** Areas in a row and in a column; those of the last row are smaller. */
const ROW = 72;
const SHORT = 0.01;
const STEP = 0.02;
const MOST_IN_TILE = 5_000;

let server: LibraryTestServer;
let member: OrgMember;
let stranger: OrgMember;
beforeAll(async () => {
  server = await openLibraryTestServer();
  member = (await server.staff()).member;
  stranger = (await server.staff()).member;
  const areas: Record<string, number[][]> = {};
  for (let y = 0; y < ROW; y++) {
    for (let x = 0; x < ROW; x++) {
      areas[`a${y}-${x}`] = cell(x * STEP, y * STEP, STEP, y === ROW - 1 ? SHORT : STEP);
    }
  }
  const input = { name: 'grid', content: fileOf(areas), valid_from: '2020-01-01', attribution: 'Surveyors' };
  const { status, body } = await server.call('http', 'create_area_set', input, member);
  expect([status, JSON.stringify(body)]).toEqual([201, expect.any(String)]);
}, 300_000);
afterAll(() => server?.close());

const get = (path: string, { key }: OrgMember = member) => server.ask('GET', path, { key });

/** The tile of a zoom that has a place in degrees. */
function tileAt(z: number, lon: number, lat: number): string {
  const x = Math.floor(((lon + 180) / 360) * 2 ** z);
  const slope = Math.asinh(Math.tan((lat * Math.PI) / 180));
  return `${z}/${x}/${Math.floor(((1 - slope / Math.PI) / 2) * 2 ** z)}`;
}

it('a tile of all areas has the largest, as many as a selection may have', async () => {
  const { status, bytes, text, headers } = await get('/tiles/sets/grid/0/0/0.mvt');
  const leftOut = String(ROW * ROW - MOST_IN_TILE);
  expect([headers['areas-left-out'], headers['access-control-expose-headers']]).toEqual([
    leftOut,
    expect.stringContaining('Areas-Left-Out'),
  ]);
  const same = await server.ask('GET', '/tiles/sets/grid/0/0/0.mvt', {
    key: member.key,
    headers: { 'If-None-Match': String(headers.etag) },
  });
  expect([same.status, same.headers['areas-left-out']]).toEqual([304, leftOut]);
  expect(status, text.slice(0, 300)).toBe(200);
  expect(bytes.length).toBeGreaterThan(0);
  const far = await get(`/tiles/sets/grid/${tileAt(5, WEST + 0.7, SOUTH + 0.7)}.mvt`);
  expect(far.status).toBe(200);
  const ids = idsIn(far.bytes);
  expect([ROW * ROW, ids.size]).toEqual([5_184, MOST_IN_TILE]);
  // The areas of the last row are the smallest.
  expect([...ids].filter((id) => id.startsWith(`set:grid/a${ROW - 1}-`))).toEqual([]);
});

it('a tile that fewer areas meet has all of them', async () => {
  const top = SOUTH + (ROW - 1) * STEP + SHORT / 2;
  const near = await get(`/tiles/sets/grid/${tileAt(13, WEST + 0.7, top)}.mvt`);
  expect([near.status, near.headers['areas-left-out']]).toEqual([200, undefined]);
  expect([...idsIn(near.bytes)].some((id) => id.startsWith(`set:grid/a${ROW - 1}-`))).toBe(true);
  expect((await get(`/tiles/sets/grid/${tileAt(13, WEST - 60, top)}.mvt`)).status).toBe(204);
});

it('its description has the box and the attribution of all, for those who may read it', async () => {
  const { status, json } = await get('/tiles/sets/grid.json');
  expect(status).toBe(200);
  const about = json as unknown as { bounds: number[]; attribution: string; description: string };
  const { bounds, attribution } = about;
  expect(about.description).toContain(`at most ${MOST_IN_TILE} areas`);
  const [west = 0, south = 0, east = 0, north = 0] = bounds;
  expect([west, south, east, north].map((value) => value.toFixed(5))).toEqual(
    [WEST, SOUTH, WEST + ROW * STEP, SOUTH + (ROW - 1) * STEP + SHORT].map((value) => value.toFixed(5)),
  );
  expect(attribution).toBe('Surveyors');
  for (const path of ['grid.json', 'grid/0/0/0.mvt'])
    expect((await get(`/tiles/sets/${path}`, stranger)).status).toBe(404);
});

/** The ids of the areas in a tile. */
function idsIn(bytes: Buffer): Set<string> {
  return new Set((decodeTile(bytes).areas ?? []).map(({ properties }) => String(properties.id)));
}
