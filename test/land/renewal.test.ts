/** How much of the land an update of one border works out again. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { StoreInput } from '../../src/sources/store/source_rows.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, ringsOf } from '../ops/fixture_world.ts';

let server: BoundaryTestServer;
beforeAll(async () => {
  server = await openBoundaryTestServer();
}, 120_000);
afterAll(() => server?.close());

/** Regions of a country: a grid of SIDE by SIDE squares of a tenth of a degree, with vertices at their corners. */
const SIDE = 6;

/** A country at a longitude; the corner between regions (1, 1), (2, 1), (1, 2) and (2, 2) is moved by `by` degrees. */
function country(name: string, lon: number, by = 0, version = '1') {
  const corner = (x: number, y: number): [number, number] =>
    x === 2 && y === 2 ? [lon + 0.2 + by, 0.2 + by] : [lon + x / 10, y / 10];
  const ring = (x: number, y: number) => {
    const four = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
    return [...four, corner(x, y)];
  };
  const line = Array.from({ length: SIDE + 1 }, (_, k) => k);
  const outer = [
    ...line.map((k) => corner(k, 0)),
    ...line.slice(1).map((k) => corner(SIDE, k)),
    ...line.slice(1).map((k) => corner(SIDE - k, SIDE)),
    ...line.slice(1).map((k) => corner(0, SIDE - k)),
  ];
  const regions = line.slice(1).flatMap((_, x) =>
    line.slice(1).map((_, y) => {
      const isMoved = by !== 0 && (x === 1 || x === 2) && (y === 1 || y === 2);
      const about = { adminLevel: 6, version: isMoved ? version : '1' };
      return fixtureBoundary(`r${lon}${x}${y}`, `${name} ${x} ${y}`, ringsOf(ring(x, y)), about);
    }),
  );
  return [fixtureBoundary(`r${lon}99`, name, ringsOf(outer), { adminLevel: 2 }), ...regions];
}

const store = (input: Omit<StoreInput, 'file' | 'source'>) =>
  storeBoundaries(
    { db: server.services.db, engine: server.engine },
    { source: FIXTURE_SOURCE, file: 'made', ...input },
  );

const moment = async () => {
  const [row] = await server.services.db.query<{ n: number }>(
    `select coalesce(max(n), 0)::float8 as n
     from (select replaced_in as n from past_shape_apart union all select replaced_in from past_boundary_land) p`,
  );
  return row?.n ?? 0;
};
/** What was replaced after a moment: boundaries whose land or water has another shape, and those with another row. */
const replacedSince = async (before: number) => {
  const ids = async (table: string) =>
    (
      await server.services.db.query<{ id: string }>(
        `select distinct boundary_id as id from ${table} where replaced_in > $1 order by 1`,
        [before],
      )
    ).map(({ id }) => id);
  return { shapes: await ids('past_shape_apart'), rows: await ids('past_boundary_land') };
};

it('is that of the boundaries that meet it, and of none far away', async () => {
  const lines = [30, 50].map((lon, i) => ({
    id: i + 1,
    version: 1,
    // The western half of the country is its sea, from a bay to a cape.
    coords: Int32Array.from([lon + 0.25, 0.7, lon + 0.15, 0.25, lon + 0.25, -0.1], (degrees) => degrees * 1e7),
  }));
  const { land } = await store({ boundaries: [...country('A', 30), ...country('B', 50)], coast: lines });
  expect([land.worked, land.unknown]).toEqual([2 * (SIDE * SIDE + 1), 0]);
  const areas = async () =>
    new Map(
      (
        await server.services.db.query<{ id: string; state: string; land_km2: number }>(
          'select boundary_id as id, state, land_km2 from boundary_land order by 1',
        )
      ).map(({ id, state, land_km2 }) => [id, `${state} ${land_km2.toFixed(2)}`]),
    );
  const [before, known] = [await moment(), await areas()];
  const changed = await store({ boundaries: country('A', 30, 0.01, '2'), bbox: null });
  // The four regions around the corner, the eight that share a border with them, and the country: 13 of 74.
  expect(changed.replaced).toBe(4);
  expect(changed.land.worked).toBe(13);
  const { shapes, rows } = await replacedSince(before);
  const near = [0, 1, 2, 3];
  const around = near.flatMap((x) => near.flatMap((y) => ((x % 3) + (y % 3) === 0 ? [] : [`r30${x}${y}`])));
  const renewed = new Set([...around, 'r3099']);
  expect([...shapes, ...rows].filter((id) => !renewed.has(id))).toEqual([]);
  expect(shapes.length).toBeGreaterThan(0);
  // Only of the four that changed is the area another, but for the places where the coast was moved to the grid.
  const after = await areas();
  const moved = [...known].filter(([id, value]) => after.get(id) !== value).map(([id]) => id);
  expect(moved.filter((id) => !['r3011', 'r3012', 'r3021', 'r3022'].includes(id))).toEqual([]);
  expect(moved.length).toBeGreaterThan(1);
});
