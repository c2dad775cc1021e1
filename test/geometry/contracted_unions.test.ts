import { afterAll, beforeAll, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary } from '../ops/fixture_world.ts';

const SIDE = 20;
const UNIT = 1e4;

let server: BoundaryTestServer;
let key: string;

/** A square in 1e-7 degrees, by its corner and its side in units, with a vertex at each unit. */
function square(x: number, y: number, side: number): Int32Array {
  const steps = Array.from({ length: side }, (_, i) => i);
  const ring = [
    ...steps.map((i) => [x + i, y]),
    ...steps.map((i) => [x + side, y + i]),
    ...steps.map((i) => [x + side - i, y + side]),
    ...steps.map((i) => [x, y + side - i]),
    [x, y],
  ];
  return Int32Array.from(ring.flatMap(([east = 0, north = 0]) => [1e7 + east * UNIT, 2e7 + north * UNIT]));
}

const store = (boundaries: ReturnType<typeof fixtureBoundary>[], file: string) =>
  storeBoundaries({ db: server.services.db, engine: server.engine }, { source: FIXTURE_SOURCE, file, boundaries });

beforeAll(async () => {
  server = await openBoundaryTestServer({ threads: 1 });
  // Four squares in a row, whose borders are cut by the corners of small ones along them.
  const cells = Array.from({ length: 4 * SIDE }, (_, x) =>
    [0, SIDE - 1].map((y) =>
      fixtureBoundary(`r${1000 + 2 * x + (y === 0 ? 0 : 1)}`, `Cell ${x} ${y}`, { rings: [square(x, y, 1)] }),
    ),
  ).flat();
  const large = Array.from({ length: 4 }, (_, i) =>
    fixtureBoundary(`r${10 + i}`, `Large ${i}`, { rings: [square(SIDE * i, 0, SIDE)] }, { adminLevel: 6 }),
  );
  await store([...large, ...cells], 'squares');
  ({ key } = await server.key());
});
afterAll(() => server?.close());

/** The union of boundaries at a tolerance. */
async function union(include: string[], tolerance_m: number) {
  const answer = await server.ask('POST', '/v1/boundaries/union', { json: { include, tolerance_m }, key });
  expect(answer.status).toBe(200);
  return answer.json;
}

it('a union that was contracted follows an import that gives a boundary another shape', async () => {
  const sets = [
    ['r10', 'r11'],
    ['r11', 'r12'],
    ['r12', 'r13'],
    ['r10', 'r11', 'r12'],
    ['r10', 'r12'],
  ];
  const levels = [1, 2, 4, 8, 16, 32, 64, 128];
  for (const level of levels) for (const set of sets) await union(set, level);
  const before = await union(['r11', 'r12', 'r13'], 1);
  await store(
    [fixtureBoundary('r11', 'Large 1', { rings: [square(SIDE, 0, SIDE - 2)] }, { adminLevel: 6 })],
    'smaller',
  );
  const after = await union(['r11', 'r12', 'r13'], 1);
  const parts = await Promise.all(
    ['r11', 'r12', 'r13'].map((id) => server.ask('GET', `/v1/boundaries/${id}?detail=full`, { key })),
  );
  const area = (one: { readonly properties?: unknown }) => (one.properties as { area_km2: number }).area_km2;
  const sum = parts.reduce((total, { json }) => total + area(json), 0);
  expect(area(after)).toBeCloseTo(sum, 6);
  expect(area(after)).toBeLessThan(area(before) - 1e-3);
});
