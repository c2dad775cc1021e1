import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTileSelections, HELD_BYTES } from '../../src/domain/boundaries/tile_selections.ts';
import { selectionMembers } from '../../src/tiles/selection_tiles.ts';
import { type FixtureBoundary, insertFixtures } from '../domain/fixture_boundaries.ts';
import { type BoundaryTestServer, openBoundaryTestServer } from '../ops/boundary_test_server.ts';

const MEMBERS = 3_000;
const SELECTIONS = 5;
/** Selections of 5,000 ids that fit the cache, if an id took only its characters. */
const MOST_CACHED = 140;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapBytes(): number {
  for (let i = 0; i < 4; i++) collect();
  return process.memoryUsage().heapUsed;
}

let server: BoundaryTestServer;
const ids = Array.from({ length: MEMBERS }, (_, i) => `r${10_000 + i}`);
beforeAll(async () => {
  server = await openBoundaryTestServer();
  const world = ids.map(
    (id, i): FixtureBoundary => ({
      ...{ id, name: `Municipality ${i}`, kind: 'municipality', adminLevel: 8, countries: ['QW'] },
      ...{ box: [i % 60, 0, (i % 60) + 1, 1], lat: 0.5, lon: (i % 60) + 0.5, areaKm2: i + 1 },
    }),
  );
  await insertFixtures(server.services.db, world);
  await server.services.db.query(
    'update boundary set has_geometry = true, ring_hash = sha256(id::bytea) where id = any ($1)',
    [ids],
  );
});
afterAll(() => server?.close());

it('the members of selections take as much of the heap as the cache counts for them', async () => {
  const { services } = server;
  const load = async (name: string) => {
    const selection = {
      sha256: name,
      prefer: [],
      part: 'all' as const,
      largeSet: null,
      idsAt: async () => ids,
      weigh: async () => undefined,
    };
    return (await selectionMembers(services, selection)).length;
  };
  expect(await load('first')).toBe(MEMBERS);
  const { selections } = services.cache.tiers;
  const before = [heapBytes(), selections.bytes] as const;
  for (let i = 0; i < SELECTIONS; i++) await load(`s${i}`);
  const [real, counted] = [heapBytes() - before[0], selections.bytes - before[1]];
  expect(counted).toBeGreaterThan(MEMBERS * SELECTIONS * 100);
  expect(real / counted).toBeGreaterThan(0.5);
  expect(real / counted).toBeLessThan(2);
});

it('cached selections take as much of the heap as their limit says', async () => {
  const { db } = server.services;
  const selections = createTileSelections(db);
  // Of different ids: equal short texts are in the heap once.
  const names: string[] = [];
  for (let i = 0; i < 2 * MOST_CACHED; i++) {
    const own = Array.from({ length: 5_000 }, (_, n) => `r${1_000_000 + 5_000 * i + n}`);
    names.push((await selections.put({ ids: own }, null)).sha256);
  }
  const before = heapBytes();
  for (const name of names) await selections.get(name);
  const real = heapBytes() - before;
  expect(real).toBeGreaterThan(HELD_BYTES / 2);
  expect(real).toBeLessThan(2 * HELD_BYTES);
  expect(await selections.get(names.at(-1) as string)).toHaveProperty('ids.length', 5_000);
});
