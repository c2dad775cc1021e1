/** Two boundaries with land, sea and a lake, and one of which the land is not known. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importLand } from '../../src/sources/import_land.ts';
import { storeBoundaries } from '../../src/sources/store/boundaries.ts';
import type { BoundaryTestServer } from '../ops/boundary_test_server.ts';
import { FIXTURE_SOURCE, fixtureBoundary, rectangle, ringsOf } from '../ops/fixture_world.ts';

type Server = Pick<BoundaryTestServer, 'services' | 'engine' | 'dataDir'>;

const about = { source: FIXTURE_SOURCE, file: 'made' };

/** Stores r900 and r901, squares of a degree beside each other, and r990, far from them. */
export async function storeSquares({ services: { db }, engine }: Server): Promise<void> {
  const boundaries = [
    ...[-40, -39].map((west, k) => fixtureBoundary(`r90${k}`, `P${k}`, ringsOf(rectangle(west, 0, west + 1, 1)))),
    fixtureBoundary('r990', 'Inland', ringsOf(rectangle(-20, 10, -19, 11))),
  ];
  await storeBoundaries({ db, engine }, { ...about, boundaries });
}

/** Stores a coast: three quarters of r900 and r901 are land. */
export async function storeCoast({ services: { db }, engine }: Server): Promise<void> {
  const coords = Int32Array.from([-41, 0.25, -37, 0.25], (degrees) => degrees * 1e7);
  await storeBoundaries({ db, engine }, { ...about, boundaries: [], coast: [{ id: 9, version: 1, coords }] });
}

/** Stores a lake in a quarter of r900 and of r901. */
export async function storeLake({ services: { db }, engine, dataDir }: Server): Promise<void> {
  const lake = join(dataDir, 'lake.geojson');
  writeFileSync(lake, JSON.stringify({ type: 'Polygon', coordinates: [rectangle(-41, 0.5, -37, 0.75)] }));
  const from = { source: 'lakes', license: 'CC0-1.0', attribution: 'the tests', bbox: [-42, -1, -36, 2] as const };
  await importLand({ db, engine }, lake, from, undefined, 'water');
}
