import type { StoreInput } from '../../src/sources/store/source_rows.ts';
import { FIXTURE_SOURCE, fixtureBoundary, Grid } from '../ops/fixture_world.ts';

/** The boundaries in the examples, named as in the seed data. */
export function exampleBoundaries(): StoreInput {
  const grid = new Grid();
  // Sevilla (37.39 north, 5.99 west) is in cell (24, 7), Córdoba in the one next to it.
  const spain = { adminLevel: 2, countryCode: 'ES', iso: 'ES' };
  const boundaries = [
    fixtureBoundary('r1311341', 'Spain', { ways: grid.around(20, 6, 33, 13) }, spain),
    fixtureBoundary('r349044', 'Andalucía', { ways: grid.around(24, 7, 26, 8) }, { adminLevel: 4, iso: 'ES-AN' }),
    fixtureBoundary('r9000000003264', 'Sevilla', { ways: grid.around(24, 7) }, { adminLevel: 6, iso: 'ES-SE' }),
    fixtureBoundary('r9000000003249', 'Córdoba', { ways: grid.around(25, 7) }, { adminLevel: 6, iso: 'ES-CO' }),
    fixtureBoundary(
      'r2171347',
      'Luxembourg',
      { ways: grid.around(36, 19) },
      { adminLevel: 2, countryCode: 'LU', iso: 'LU' },
    ),
    fixtureBoundary(
      'r1155955',
      'Liechtenstein',
      { ways: grid.around(39, 17) },
      { adminLevel: 2, countryCode: 'LI', iso: 'LI' },
    ),
  ];
  return { source: FIXTURE_SOURCE, file: 'examples', boundaries, ways: grid.ways };
}
