import { afterAll, beforeAll, expect, it } from 'vitest';
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
    attribution: 'nobody',
    resolution: null,
    seed: false,
  };
  await storeBoundaries(
    { db: server.services.db, engine: server.engine },
    { source, file: 'land', boundaries: [portugal] },
  );
});
afterAll(() => server?.close());

const at = async (lat: number, lon: number) =>
  (await server.get(`/v1/boundaries/reverse?lat=${lat}&lon=${lon}`, key)).json.items.map(({ iso }) => iso);

it('starts with the country that a place on water is counted to, though its shape is land', async () => {
  expect(countryAt(39, -9.6)).toBe('PT');
  expect(await at(39, -9.6)).toEqual(['PT']);
});

it('names the country once where its shape holds the place', async () => {
  expect(await at(39, -8)).toEqual(['PT']);
});

it('names none on the high seas, nor one that is not stored', async () => {
  expect(await at(30, -40)).toEqual([]);
  expect(countryAt(48.85, 2.35)).toBe('FR');
  expect(await at(48.85, 2.35)).toEqual([]);
});
