import { afterAll, beforeAll, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { countryAt } from '../../src/sources/countries.ts';
import { countryBoundary } from '../../src/sources/seed/countries.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from './boundary_test_server.ts';

let server: BoundaryTestServer;
let key: string;

beforeAll(async () => {
  server = await openBoundaryTestServer();
  ({ key } = await server.key());
  const corners = [-9, 37, -7, 37, -7, 42, -9, 42, -9, 37];
  const portugal = countryBoundary('PT', '1', [Int32Array.from(corners, (degrees) => degrees * 1e7)]);
  const source = {
    id: 'land',
    name: 'Land',
    url: null,
    license: 'CC0-1.0',
    attribution: 'test',
    resolution: null,
    seed: false,
  };
  await storeBoundaries(
    { db: server.services.db, engine: server.engine },
    { source, file: 'land', boundaries: [portugal] },
  );
});
afterAll(() => server?.close());

interface AtPoint {
  readonly id: string;
  readonly iso: string;
  readonly contains: boolean;
  readonly why: string | null;
}

interface AnswerAt {
  readonly items: readonly AtPoint[];
  readonly nearby?: readonly AtPoint[];
}

const answerAt = async (lat: number, lon: number) =>
  (await server.get(`/v1/boundaries/reverse?lat=${lat}&lon=${lon}`, key)).json as unknown as AnswerAt;
const at = async (lat: number, lon: number) => {
  const { items, nearby } = await answerAt(lat, lon);
  return [items, nearby].map((list) => list?.map(({ iso }) => iso));
};

it('names the country that a place on water is counted to apart, as its shape is land', async () => {
  expect(countryAt(39, -9.6)).toBe('PT');
  expect(await at(39, -9.6)).toEqual([[], ['PT']]);
});

it('names the country once where its shape holds the place', async () => {
  expect(await at(39, -8)).toEqual([['PT'], undefined]);
});

it('names none on the high seas, nor one that is not stored', async () => {
  expect(await at(30, -40)).toEqual([[], undefined]);
  expect(countryAt(48.85, 2.35)).toBe('FR');
  expect(await at(48.85, 2.35)).toEqual([[], undefined]);
});

it('says that the country of the nearest waters does not contain the point', async () => {
  expect((await answerAt(39, -9.6)).nearby).toMatchObject([{ iso: 'PT', contains: false, why: 'nearest_waters' }]);
  expect((await answerAt(39, -8)).items).toMatchObject([{ iso: 'PT', contains: true, why: null }]);
  const { json } = await server.rpc('reverse_boundaries', { lat: 39, lon: -9.6 }, key);
  expect(json).toMatchObject({ items: [], nearby: [{ contains: false, why: 'nearest_waters' }] });
});

it('lists exactly what locate_points lists', async () => {
  const points = Array.from(
    { length: 120 },
    (_, i) => [-10.5 + 0.4 * (i % 12), 36 + 0.7 * Math.floor(i / 12)] as const,
  );
  points.push([180, 39], [-180, 39], [0, 90], [0, -90], [-9, 37], [-7, 42], [-9, 39]);
  const located = (await server.rpc('locate_points', { points }, key)).json as unknown as {
    items: { boundaries: { id: string }[] }[];
  };
  let waters = 0;
  for (const [i, [lon, lat]] of points.entries()) {
    const { items, nearby = [] } = await answerAt(lat, lon);
    expect(
      items.map(({ id }) => id),
      `${lon} ${lat}`,
    ).toEqual(defined(located.items[i]).boundaries.map(({ id }) => id));
    waters += nearby.length;
  }
  expect(waters).toBeGreaterThan(5);
});
