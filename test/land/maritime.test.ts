import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { StoreInput } from '../../src/sources/store/source_rows.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';
import { decodeTile } from '../tiles/decode.ts';
import { saidAt as linesSay, placeOf } from './lines_at.ts';

let server: BoundaryTestServer;
beforeAll(async () => {
  server = await openBoundaryTestServer();
});
afterAll(() => server?.close());

const store = (input: Omit<StoreInput, 'file' | 'source'>) =>
  storeBoundaries(
    { db: server.services.db, engine: server.engine },
    { source: FIXTURE_SOURCE, file: 'made', bbox: [-180, -90, 180, 90], ...input },
  );
const saidAt = (lon: number, lat: number, z: number) => linesSay(server, lon, lat, z);

const units = (points: readonly (readonly number[])[]) => Int32Array.from(points.flat(), (x) => Math.round(x * 1e7));

describe('lines of tiles', () => {
  it('say where they are at sea, from the very place where the border leaves the land', async () => {
    const boundaries = [
      ...[-40, -39].map((west, k) => fixtureBoundary(`r90${k}`, `P${k}`, ringsOf(rectangle(west, 0, west + 1, 1)))),
      ...[-40, -39].map((west, k) => fixtureBoundary(`r91${k}`, `W${k}`, ringsOf(rectangle(west, -1, west + 1, 0)))),
      fixtureBoundary('r920', 'Inland', ringsOf(rectangle(-40, 1, -38, 2))),
    ];
    await store({ boundaries });
    expect(await saidAt(-39, 0.5, 9)).toEqual([undefined]);
    // Land is north of the coast, up to a cape between the two countries.
    const coast = [
      {
        id: 9,
        version: 1,
        coords: units([
          [-41, 0.25],
          [-39.1, 0.25],
          [-39.1, 0.1],
          [-38.9, 0.1],
          [-38.9, 0.25],
          [-37, 0.25],
        ]),
      },
    ];
    await store({ boundaries: [], coast });
    for (const z of [8, 9, 11]) {
      expect([z, await saidAt(-39, 0.5, z)]).toEqual([z, [false]]);
      expect([z, await saidAt(-39, 0.15, z)]).toEqual([z, [false]]);
      expect([z, await saidAt(-39, 0.05, z)]).toEqual([z, [true]]);
      expect([z, await saidAt(-39.5, 0, z)]).toEqual([z, [true]]);
      expect([z, await saidAt(-39, -0.5, z)]).toEqual([z, [true]]);
      expect([z, await saidAt(-40, 0.2, z)]).toEqual([z, [true]]);
      expect([z, await saidAt(-40, 0.3, z)]).toEqual([z, [false]]);
      expect([z, await saidAt(-39.5, 1, z)]).toEqual([z, [false]]);
    }
  }, 60_000);

  it('are not at sea where a border runs along the coast', async () => {
    const boundaries = [
      fixtureBoundary('r930', 'Isle', ringsOf(rectangle(-35, 0, -34, 1))),
      fixtureBoundary('r931', 'Waters', ringsOf(rectangle(-36, -1, -33, 2), rectangle(-35, 0, -34, 1))),
    ];
    const ring = units(rectangle(-35, 0, -34, 1));
    await store({ boundaries, coast: [{ id: 20, version: 1, coords: ring }] });
    expect(await saidAt(-34.5, 0, 9)).toEqual([false]);
    expect(await saidAt(-34.5, -1, 9)).toEqual([true]);
  });

  it('say nothing in tiles of one part, nor where no coast is stored', async () => {
    await store({ boundaries: [fixtureBoundary('r940', 'Far', ringsOf(rectangle(10, 40, 11, 41)))] });
    expect(await saidAt(10.5, 40, 9)).toEqual([undefined]);
    const { x, y } = placeOf(-39, 0.15, 9);
    const land = decodeTile((await server.get(`/tiles/boundaries/9/${x}/${y}.mvt?area=land`)).bytes);
    expect(land.lines?.map(({ properties }) => properties.maritime)).toEqual(land.lines?.map(() => undefined));
  });
});
