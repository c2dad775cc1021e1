/** A set with more areas than a selection may have, as a map: each tile has the largest areas that meet it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemActor } from '../../src/core/access.ts';
import { storeAreas } from '../../src/sources/area_sets.ts';
import type { BatchSize } from '../../src/sources/store/source_rows.ts';
import type { SourceBoundary } from '../../src/sources/types.ts';
import { type LibraryTestServer, type OrgMember, openLibraryTestServer } from '../library/library_test_server.ts';
import { SOUTH, WEST } from '../ops/fixture_world.ts';
import { canonicalRings } from '../proof/environment.ts';
import { generator, madeBoundary, type Point } from '../proof/made.ts';
import { decodeTile } from '../tiles/decode.ts';
import { cell, fileOf } from './made_set.ts';

// biome-ignore lint/suspicious/noExplicitAny: what is in an answer, the tests say.
type Any = any;

/** Areas in a row and in a column; those of the last row are smaller. */
const ROW = 72;
const SHORT = 0.01;
const STEP = 0.02;
const MOST_IN_TILE = 5_000;

let server: LibraryTestServer;
let member: OrgMember;
let org: string;
let stranger: OrgMember;
beforeAll(async () => {
  server = await openLibraryTestServer();
  const staff = await server.staff();
  ({ member, org } = staff);
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

it('areas that are built in small batches have the same arcs, and the neighbors of other batches share theirs', async () => {
  const { db, engine, areaSets } = server.services;
  const by = { account: member.id, org, role: 'owner', actor: systemActor('test') } as const;
  const store = async (name: string, batchSize?: BatchSize): Promise<number> => {
    let version = 0;
    await storeAreas(
      { db, engine },
      { name, areas: bentGrid(name, 24), batchSize },
      async (tx, { areas, vertices }) => {
        const about = {
          name,
          title: undefined,
          visibility: undefined,
          validFrom: '2020-01-01',
          attribution: name,
        } as const;
        const how = { madeFrom: 'file', replace: false, report: {}, seams: '[]', base: undefined } as const;
        version = await areaSets.putVersion(tx, by, { ...about, ...how, areas, vertices });
        return version;
      },
    );
    return version;
  };
  const arcsOf = (version: number) =>
    db.query(
      `select encode(hash, 'hex') as hash, encode(weights, 'hex') as weights, encode(ends, 'hex') as ends, exact, area, turn,
              (select count(*) from set_shape s where s.version_id = $1 and s.arc_ids @> array[a.id]) as shapes,
              (select count(*) from set_conflict c where c.version = $1 and a.id in (c.a, c.b)) as conflicts
       from set_arc a where version = $1 order by hash`,
      [version],
    );
  const [one, many] = [await store('one-batch'), await store('many-batches', { aim: 500, most: 500 })];
  const arcs = await arcsOf(one);
  expect(await arcsOf(many)).toEqual(arcs);
  expect(arcs.filter(({ shapes }) => Number(shapes) === 2).length).toBeGreaterThan(1_000);
  expect(arcs.some(({ conflicts }) => Number(conflicts) > 0)).toBe(true);
  const [{ areas, same }] = (await db.query(
    `select count(*)::integer as areas, count(*) filter (where st_astext(st_normalize(a.geom)) = st_astext(st_normalize(b.geom)))::integer as same
     from set_shape a
     join set_shape b on split_part(a.boundary_id, '/', 2) = split_part(b.boundary_id, '/', 2)
     where a.version_id = $1 and b.version_id = $2`,
    [one, many],
  )) as [{ areas: number; same: number }];
  expect([areas, same]).toEqual([24 * 24 + 2, 24 * 24 + 2]);
});

it('unions, groups, neighbors and shares of many batches are those of one, and of PostGIS', async () => {
  const { db } = server.services;
  const random = generator(20_261_127);
  const below = (count: number) => Math.floor(random() * count);
  const of = async (op: string, input: (set: string) => Record<string, unknown>): Promise<[Any, Any]> => {
    const read = async (set: string) => {
      const { status, body } = await server.call('http', op, input(set), member);
      expect(status, `${op} of ${set}: ${JSON.stringify(body).slice(0, 300)}`).toBe(200);
      return JSON.parse(JSON.stringify(body).replaceAll(`set:${set}`, 'set').replaceAll(set, 'batches'));
    };
    return [await read('one-batch'), await read('many-batches')];
  };
  /** The area in which a shape differs from the union of areas, and whether it is valid, on the integer grid. */
  const against = async (codes: readonly string[], geometry: object) => {
    const [found] = await db.query<{ valid: boolean; difference: number }>(
      `with ours as (select st_snaptogrid(st_scale(st_setsrid(st_geomfromgeojson($2), 0), 1e7, 1e7), 1) as geom),
            theirs as (select st_union(st_snaptogrid(st_scale(st_setsrid(geom, 0), 1e7, 1e7), 1)) as geom
                       from set_shape where boundary_id = any ($1::text[]))
       select st_isvalid(ours.geom) as valid, st_area(st_symdifference(ours.geom, theirs.geom)) as difference
       from ours, theirs`,
      [codes.map((code) => `set:one-batch/${code}`), JSON.stringify(geometry)],
    );
    return [found?.valid, Number(found?.difference)];
  };
  for (let n = 0; n < 12; n++) {
    // Blocks that cross the borders of batches, and areas here and there.
    const [x, y, size] = [below(20), below(20), 2 + below(4)];
    const block = Array.from({ length: Math.min(49, size * size) }, (_, i) => [
      x + (i % size),
      y + Math.floor(i / size),
    ]);
    const inside = block.filter((one) => one.every((place) => (place as number) < 24));
    const codes =
      n % 3 === 2 ? Array.from({ length: 9 }, () => `${below(24)}-${below(24)}`) : inside.map((one) => one.join('-'));
    const [one, many] = await of('union_boundaries', (set) => ({
      ...{ include: codes.map((code) => `set:${set}/${code}`), detail: 'full' },
    }));
    expect([one.properties.exact, many.properties.exact]).toEqual([true, true]);
    expect(canonicalRings(many.geometry)).toEqual(canonicalRings(one.geometry));
    expect(many.properties.area_km2).toBeCloseTo(one.properties.area_km2, 9);
    expect(await against(codes, many.geometry), codes.join()).toEqual([true, 0]);
  }
  const groupOf = Array.from({ length: 24 * 24 }, (_, i) => [`${i % 24}-${Math.floor(i / 24)}`, below(3)] as const);
  const codesIn = (group: number) => groupOf.filter(([, own]) => own === group).map(([code]) => code);
  const [some, others] = await of('dissolve', (set) => ({
    groups: Object.fromEntries(
      [0, 1, 2].map((group) => [`g${group}`, codesIn(group).map((code) => `set:${set}/${code}`)]),
    ),
    detail: 'full',
  }));
  for (const group of [0, 1, 2]) {
    const [a, b] = [some, others].map(({ features }: Any) =>
      features.find((one: Any) => one.properties.group === `g${group}`),
    );
    expect(canonicalRings(b.geometry)).toEqual(canonicalRings(a.geometry));
    expect(await against(codesIn(group), b.geometry)).toEqual([true, 0]);
  }
  for (let n = 0; n < 6; n++) {
    const code = `${1 + below(22)}-${1 + below(22)}`;
    const [a, b] = await of('list_neighbors', (set) => ({ id: `set:${set}/${code}` }));
    expect(b.items).toEqual(a.items);
    const rows = await db.query<{ id: string }>(
      `select b.boundary_id as id from set_shape a join set_shape b on b.version_id = a.version_id and b.boundary_id <> a.boundary_id
       where a.boundary_id = $1 and st_touches(a.geom, b.geom)`,
      [`set:one-batch/${code}`],
    );
    const found = (b.items as { id: string }[]).map(({ id }) => id.slice('set/'.length)).sort();
    expect(found, code).toEqual(rows.map(({ id }) => id.slice('set:one-batch/'.length)).sort());
  }
  const [shares, same] = await of('crosswalk', (set) => ({ a: [`set:${set}/over`], b: { set } }));
  expect(same.items).toEqual(shares.items);
  // The area lies within the grid, and meets itself.
  const parts = (same.items as { b: string; share_of_a: number }[]).filter(({ b }) => b !== 'set/over');
  expect(parts.length).toBeGreaterThan(20);
  expect(parts.reduce((sum, { share_of_a }) => sum + share_of_a, 0)).toBeCloseTo(1, 5);
}, 120_000);

/** A grid whose borders have two bent vertices, beside an area with a straight border, and under one that overlaps it. */
function bentGrid(set: string, size: number): SourceBoundary[] {
  const unit = 200_000;
  const bend = (x: number, y: number, k: number) =>
    Math.round(30_000 * Math.sin(x * 12.9898 + y * 78.233 + k * 37.719));
  const corner = (x: number, y: number): Point => [x * unit + bend(x, y, 0), y * unit + bend(x, y, 1)];
  const between = (x: number, y: number, [dx, dy]: Point): Point[] => {
    const [[a, b], [c, d]] = [corner(x, y), corner(x + dx, y + dy)];
    return [1, 2].map((i) => [
      Math.round(a + ((c - a) * i) / 3) + dy * bend(x, y, 2 * i),
      Math.round(b + ((d - b) * i) / 3) + dx * bend(x, y, 2 * i + 1),
    ]);
  };
  const named = (code: string, ring: Point[]): SourceBoundary => ({
    ...madeBoundary(`${set} ${code}`, [ring]),
    ...{ id: `set:${set}/${code}`, adminLevel: null, kind: 'district', country: null },
  });
  const areas = Array.from({ length: size * size }, (_, i) => {
    const [x, y] = [i % size, Math.floor(i / size)];
    return named(`${x}-${y}`, [
      ...[corner(x, y), ...between(x, y, [1, 0]), corner(x + 1, y), ...between(x + 1, y, [0, 1])],
      ...[corner(x + 1, y + 1), ...between(x, y + 1, [1, 0]).reverse()],
      ...[corner(x, y + 1), ...between(x, y, [0, 1]).reverse()],
    ]);
  });
  const far = (size + 5) * unit;
  areas.push(named('beside', [corner(size, 0), [far, 0], [far, size * unit], corner(size, size)]));
  areas.push(
    named('over', [
      [555_555, 555_555],
      [2_222_222, 600_000],
      [2_000_000, 2_345_678],
    ]),
  );
  return areas;
}
