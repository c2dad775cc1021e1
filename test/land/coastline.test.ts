import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { CoastLine, StoreInput } from '../../src/sources/store/source_rows.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';

let server: BoundaryTestServer;
beforeAll(async () => {
  server = await openBoundaryTestServer();
});
afterAll(() => server?.close());

const line = (id: number, ...points: [number, number][]): CoastLine => ({
  id,
  version: 1,
  coords: Int32Array.from(points.flat(), (degrees) => Math.round(degrees * 1e7)),
});

const store = (boundaries: StoreInput['boundaries'], coast: readonly CoastLine[]) =>
  storeBoundaries(
    { db: server.services.db, engine: server.engine },
    { source: FIXTURE_SOURCE, file: 'made', boundaries, coast, bbox: [-180, -90, 180, 90] },
  );

async function landOf(id: string) {
  const [row] = await server.services.db.query<{ state: string; share: number | null }>(
    `select l.state, l.land_km2 / b.area_km2 as share
     from boundary b join boundary_land l on l.boundary_id = b.id where b.id = $1`,
    [id],
  );
  return row;
}

const linesStored = async () =>
  (await server.services.db.query<{ id: number }>('select id from coast_line order by id')).map(({ id }) => Number(id));

describe('the coastline', () => {
  it('decides for boundaries that were stored before it, however far inland', async () => {
    const at = (west: number) => ringsOf(rectangle(west, 0, west + 1, 1));
    const row = [0, 1, 2, 3, 4].map((k) => fixtureBoundary(`r90${k}`, `Place ${k}`, at(-40 + k)));
    await store(row, []);
    // Land is east of it.
    await store([], [line(9, [-39.5, 3], [-39.5, 2]), line(10, [-39.5, 2], [-39.5, -1])]);
    expect((await landOf('r900'))?.share).toBeCloseTo(0.5, 4);
    for (const id of ['r901', 'r902', 'r903', 'r904'])
      expect([id, await landOf(id)]).toEqual([id, { state: 'land', share: 1 }]);
  });

  it('of a newer file takes the place of ways that were split, and of no others', async () => {
    const newer = [line(11, [-39.5, 2], [-39.5, 1.5]), line(12, [-39.5, 1.5], [-39.25, 1.5], [-39.25, -1])];
    await store([], newer);
    // The file of the region to the north has way 9, which arrives where this one begins.
    expect(await linesStored()).toEqual([9, 11, 12]);
    expect((await landOf('r900'))?.share).toBeCloseTo(0.25, 4);
    await store([], [line(14, [-39.5, 2], [-39.25, -1])]);
    expect(await linesStored()).toEqual([9, 14]);
  });

  it('is cut at the antimeridian', async () => {
    const border = ringsOf(rectangle(178, 10, 180, 12), rectangle(-180, 10, -178, 12));
    // Half of each side of an island, which only leads across.
    const south = line(20, [179.9, 10.9], [-179.9, 10.9]);
    const north = line(21, [-179.9, 10.9], [-179.9, 11.1], [179.9, 11.1], [179.9, 10.9]);
    await store(
      [
        fixtureBoundary('r600', 'Dateland', border),
        fixtureBoundary('r610', 'Elsewhere', ringsOf(rectangle(10, 10, 12, 12))),
      ],
      [south, north],
    );
    expect((await landOf('r600'))?.state).toBe('mixed');
    expect((await landOf('r600'))?.share).toBeCloseTo(0.005, 4);
    expect((await landOf('r610'))?.state).toBe('unknown');
  });
});
