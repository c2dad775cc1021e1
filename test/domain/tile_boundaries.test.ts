import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pick, seeded } from '../../src/bench/random.ts';
import type { Database } from '../../src/db/connect.ts';
import { loadQuery } from '../../src/db/query.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import type { Boundaries } from '../../src/domain/boundaries/reads.ts';
import type { TileView } from '../../src/domain/boundaries/tile_model.ts';
import { findTileBoundaries } from '../../src/domain/boundaries/tiles.ts';
import { packBoxes } from '../../workers/arcs/pack_boxes.ts';
import { type TestDatabase, testDatabase } from '../setup/database.ts';
import { watchedQuery } from '../setup/watched.ts';
import { type FixtureBoundary, insertFixtures } from './fixture_boundaries.ts';

const COUNT = 400;
const VIEWS = 150;
const next = seeded(20_261_123);

/** Degrees on a lattice, so that sides of boxes and views often meet. */
const steps = (most: number): number => Math.floor(next() * (8 * most)) / 8;
const around = (lon: number): number => (lon > 180 ? lon - 360 : lon);

/** Boxes in the Pacific, a tenth of them across the antimeridian, on all levels and without one, and postcode areas. */
const WORLD: readonly FixtureBoundary[] = Array.from({ length: COUNT }, (_, i): FixtureBoundary => {
  const [west, south, width, height] = [170 + steps(20), steps(12) - 6, 0.125 + steps(2), 0.125 + steps(2)];
  const adminLevel = pick(next, [2, 4, 6, 8, 8, 10, null]);
  return {
    id: `${pick(next, ['r', 'w'])}${i + 1}`,
    name: `Name ${i}`,
    names: i % 3 === 0 ? { de: `Nahme ${i}` } : {},
    kind: i % 11 === 0 ? 'postal_code' : 'municipality',
    type: i % 11 === 0 ? 'postal_code' : 'administrative',
    adminLevel,
    country: 'AA',
    areaKm2: i % 5 === 0 ? undefined : pick(next, [1, 2, 2, 2, 30.5]),
    box: [around(west), south, around(west + width), south + height],
    shape: true,
  };
});

/** What a tile shows, at most six degrees wide. */
function randomView(): TileView {
  const [west, south, width, height] = [169 + steps(22), steps(14) - 7, steps(3), steps(3)];
  return {
    box: [around(west), south, around(west + width), south + height],
    deepest: pick(next, [2, 6, 8, 12, 13]),
    prefer: pick(next, [[], ['de'], ['fr', 'de']]),
  };
}

let test: TestDatabase;
let boundaries: Boundaries;
let asked = 0;

beforeAll(async () => {
  test = await testDatabase();
  await insertFixtures(test.db, WORLD);
  await test.db.query(
    `insert into boundary_shape (boundary_id, arcs, ring_end, polygon_end, arc_ids, geom)
     select id, '{}', '{}', '{}', '{}',
            st_collect(st_makeenvelope(west / 1e7::float8, south / 1e7::float8, 180, north / 1e7::float8, 4326),
                       st_makeenvelope(-180, south / 1e7::float8, east / 1e7::float8, north / 1e7::float8, 4326))
     from boundary where west > east`,
  );
  const query = watchedQuery(test.db, (sql) => {
    if (sql === loadQuery('tile_boundaries')) asked++;
  });
  const db: Database = Object.create(test.db, { query: { value: query } });
  boundaries = createBoundaries(db, { packBoxes: async (boxes) => packBoxes(boxes) });
  await boundaries.warm();
});
afterAll(() => test?.close());

describe('what a tile shows', () => {
  it('is the same from memory as from the database, in the same order', async () => {
    const { revision } = await boundaries.withSnapshot(async (reading) => reading);
    const sizes: number[] = [];
    let fromMemory = 0;
    for (let i = 0; i < VIEWS; i++) {
      const view = randomView();
      const expected = await findTileBoundaries(test.db, revision, view);
      for (let turn = 0; turn < 2; turn++) {
        const before = asked;
        expect(await boundaries.tileBoundaries(view), JSON.stringify(view)).toEqual(expected);
        if (asked === before) fromMemory++;
        // The second time everything is known.
        else expect(turn).toBe(0);
      }
      sizes.push(expected.length);
    }
    expect(fromMemory).toBeGreaterThan(VIEWS);
    expect(Math.max(...sizes)).toBeGreaterThan(20);
    expect(sizes).toContain(0);
  });

  it('is asked of the database where the view is wide', async () => {
    const wide: TileView = { box: [160, -10, -160, 10], deepest: 13, prefer: [] };
    const before = asked;
    const shown = await boundaries.tileBoundaries(wide);
    await boundaries.tileBoundaries(wide);
    expect(asked).toBe(before + 2);
    expect(shown).toHaveLength(WORLD.filter(({ type }) => type === 'administrative').length);
  });
});
