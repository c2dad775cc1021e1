/** Boundaries without any coast: whether they are inland, or by a coast that is not in the file. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFile } from '../../src/sources/import.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { StoreInput } from '../../src/sources/store/source_rows.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';
import { MadeMap } from './made_map.ts';

let server: BoundaryTestServer;
let key: string;
beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key('business'));
}, 120_000);
afterAll(() => server?.close());

const stateOf = async (id: string) => {
  const rows = await server.services.db.query<{ state: string; reason: string | null }>(
    'select state, reason from boundary_land where boundary_id = $1',
    [id],
  );
  return rows[0];
};
const areaOf = async (id: string, query: string) =>
  (await server.get(`/v1/boundaries/${id}?detail=full&${query}`, key)).json;

/**
 * A country with a coast in the west and two regions, one of them inland; east of it a country that has no coast in the
 * file, and west of its waters one that has none, too. `x` is the west of the map.
 */
function madeMap(x: number, ids: number, bounds = ''): MadeMap {
  const border = (k: number) => ids + k;
  const admin = (name: string, level: number) => ({
    type: 'boundary',
    boundary: 'administrative',
    name,
    admin_level: `${level}`,
  });
  const side = (at: number) =>
    [
      [x + at, 0],
      [x + at, 1],
    ] as [number, number][];
  const along = (from: number, to: number) =>
    [0, 1].map(
      (y) =>
        [
          [x + from, y],
          [x + to, y],
        ] as [number, number][],
    );
  const map = new MadeMap(bounds, 10_000 * ids);
  const sides = [0, 2, 4, 6, 8];
  for (const [k, at] of sides.entries()) map.way(border(k), side(at));
  for (let k = 0; k < 4; k++)
    along(sides[k] as number, sides[k + 1] as number).forEach((line, j) => {
      map.way(border(10 + 2 * k + j), line);
    });
  const ways = (...list: number[]) => list.map((k) => [border(k), 'outer'] as const);
  map.way(
    border(30),
    [
      [x + 3, 1.5],
      [x + 3, -0.5],
    ],
    { natural: 'coastline' },
  );
  // From the west: waters or an island, the region by the coast, the inland one, the country beyond.
  map.relation(border(1), ways(0, 1, 10, 11), admin('West', 2));
  map.relation(border(2), ways(1, 2, 12, 13), admin('Coast', 4));
  map.relation(border(3), ways(2, 3, 14, 15), admin('Inland', 4));
  map.relation(border(4), ways(1, 3, 12, 13, 14, 15), admin('Country', 2));
  map.relation(border(5), ways(3, 4, 16, 17), admin('East', 2));
  return map;
}

describe('a boundary without coast, at the edge of what is stored', () => {
  const imported = async (map: MadeMap, name: string) =>
    importFile({ db: server.services.db, engine: server.engine }, map.write(server.dataDir, name), null);

  it('is unknown where the file states no extent: its coast may not be in the file', async () => {
    const summary = await imported(madeMap(-50, 71_000), 'open.osm');
    expect(summary.broken).toEqual([]);
    const reason = 'it has no coast, and no file with coastlines states an extent that has all of it';
    for (const id of ['r71005', 'r71001']) {
      expect([id, await stateOf(id)]).toEqual([id, { state: 'unknown', reason }]);
      for (const area of ['land', 'water']) {
        const answer = await areaOf(id, `area=${area}`);
        expect(answer).toMatchObject({ code: 'no_geometry', detail: expect.stringContaining(reason) });
      }
      expect((await areaOf(id, '')).properties).toMatchObject({ includes_water: 'unknown', land_km2: null });
    }
    expect(summary.land.broken.map(({ id }) => id).sort()).toEqual(['r71001', 'r71005']);
    // A region of a country that has a coast is of the file.
    expect((await stateOf('r71003'))?.state).toBe('land');
    for (const id of ['r71002', 'r71004']) expect([id, (await stateOf(id))?.state]).toEqual([id, 'mixed']);
  });

  it('is what the boundaries beside it are where the file states an extent around it', async () => {
    await imported(madeMap(-70, 72_000, '<bounds minlat="-1" minlon="-71" maxlat="2" maxlon="-61"/>'), 'stated.osm');
    expect([(await stateOf('r72005'))?.state, (await stateOf('r72001'))?.state]).toEqual(['land', 'water']);
    // Not where it reaches beyond.
    await imported(
      madeMap(-90, 73_000, '<bounds minlat="-1" minlon="-89.5" maxlat="2" maxlon="-82.5"/>'),
      'beyond.osm',
    );
    expect([(await stateOf('r73005'))?.state, (await stateOf('r73001'))?.state]).toEqual(['unknown', 'unknown']);
    // Until a file states an extent that has it.
    await imported(madeMap(-90, 73_000, '<bounds minlat="-1" minlon="-91" maxlat="2" maxlon="-81"/>'), 'wider.osm');
    expect([(await stateOf('r73005'))?.state, (await stateOf('r73001'))?.state]).toEqual(['land', 'water']);
    const extents = await server.services.db.query('select west from coast_extent order by west');
    expect(extents).toEqual([{ west: -910_000_000 }, { west: -710_000_000 }]);
  });
});

const store = (input: Omit<StoreInput, 'file' | 'source'>) =>
  storeBoundaries(
    { db: server.services.db, engine: server.engine },
    { source: FIXTURE_SOURCE, file: 'made', ...input },
  );

describe('a boundary that a coastline is around, or others', () => {
  it('is land, without an extent', async () => {
    const ring = Int32Array.from(rectangle(49.5, -0.5, 52.5, 1.5).flat(), (degrees) => degrees * 1e7);
    await store({
      boundaries: [
        fixtureBoundary('r820', 'Middle', ringsOf(rectangle(50, 0, 51, 1))),
        fixtureBoundary('r821', 'Coast', ringsOf(rectangle(51, 0, 53, 1))),
      ],
      coast: [{ id: 821, version: 1, coords: ring }],
    });
    expect([(await stateOf('r820'))?.state, (await stateOf('r821'))?.state]).toEqual(['land', 'mixed']);
  });

  it('is what they are, without an extent', async () => {
    const hole = rectangle(21, 1, 22, 2);
    const coords = Int32Array.from([20.5, 4, 20.5, -1], (degrees) => degrees * 1e7);
    await store({
      boundaries: [
        fixtureBoundary('r800', 'Around', ringsOf(rectangle(20, 0, 23, 3), hole)),
        fixtureBoundary('r801', 'Enclave', ringsOf(hole)),
      ],
      coast: [{ id: 801, version: 1, coords }],
    });
    expect([(await stateOf('r800'))?.state, (await stateOf('r801'))?.state]).toEqual(['mixed', 'land']);
  });
});

describe('a border that changes far from any coast', () => {
  it('leaves known what was, by what is beside it', async () => {
    const at = (west: number, east = west + 1) => ringsOf(rectangle(west, 20, east, 21));
    const row = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => fixtureBoundary(`r81${k}`, `Row ${k}`, at(30 + k)));
    const coords = Int32Array.from([30.5, 22, 30.5, 19], (degrees) => degrees * 1e7);
    await store({ boundaries: row, coast: [{ id: 811, version: 1, coords }], bbox: [29, 19, 39, 22] });
    for (let k = 1; k < 8; k++) expect([k, (await stateOf(`r81${k}`))?.state]).toEqual([k, 'land']);
    await store({ boundaries: [fixtureBoundary('r817', 'Row 7', at(37, 38.5), { version: '2' })] });
    for (let k = 1; k < 8; k++) expect([k, (await stateOf(`r81${k}`))?.state]).toEqual([k, 'land']);
    expect((await areaOf('r817', 'area=land')).properties.area_km2).toBeGreaterThan(15_000);
  });
});
