import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { deepestLevel } from '../../src/domain/boundaries/tiles.ts';
import { drawTile, levelOfZoom, tileBox } from '../../src/tiles/boundary_tiles.ts';
import { endClassOf } from '../../workers/arcs/levels.ts';
import { NO_LINES } from '../../workers/arcs/tagged_lines.ts';
import { decodeTile } from '../tiles/decode.ts';
import { looseLines, troublesOf } from '../tiles/valid.ts';
import { expectValidTiles, placesOf } from '../tiles/world_tiles.ts';
import { dataDir, openSeededEnvironment, type ProofEnvironment } from './environment.ts';
import { drawn, isWhole, seeds } from './rounds.ts';
import { crossingWorld, randomWorld, realWorlds } from './worlds.ts';

/** The last zoom whose tiles are all drawn. */
const LAST = isWhole ? 8 : 4;
const SEED = Number(process.env.SEED ?? 20261125);
const worlds = dataDir ? realWorlds(dataDir) : {};

describe.each(drawn(Object.keys(worlds)))('tiles of %s', { timeout: 3_600_000 }, (name) => {
  it('hold valid areas that fit', async () => {
    const world = await worlds[name]!();
    let count = 0;
    for (let z = 0; z <= LAST; z++) count += await expectValidTiles(world, placesOf(world, z));
    expect(count).toBeGreaterThan(isWhole ? world.boundaries.length : 0);
  });
});

it('tiles of random worlds hold valid areas that fit', { timeout: 3_600_000 }, async () => {
  let count = 0;
  for (const seed of seeds(SEED, 50)) {
    for (const world of [randomWorld(seed), crossingWorld(seed)]) {
      for (let z = 0; z <= 14; z++) {
        const places = placesOf(world, z);
        const step = Math.max(1, Math.floor(places.length / (isWhole ? 6 : 2)));
        count += await expectValidTiles(
          world,
          places.filter((_, i) => i % step === 0),
        );
      }
    }
  }
  expect(count).toBeGreaterThan(isWhole ? 1_000 : 100);
});

describe('tiles of the seed data', { timeout: 3_600_000 }, () => {
  let server: ProofEnvironment;
  beforeAll(async () => {
    server = await openSeededEnvironment();
  }, 900_000);
  afterAll(() => server?.close());

  it('hold valid areas', async () => {
    const { signal } = new AbortController();
    let count = 0;
    for (let z = 0; z <= LAST; z++) {
      const deepest = deepestLevel(z);
      const frame = { level: levelOfZoom(z), endClass: endClassOf([deepest]) };
      const columns = Array.from({ length: 2 ** z }, (_, x) => x);
      for (const [x, y] of drawn(columns.flatMap((x) => columns.map((y) => [x, y] as const)))) {
        const bytes = await createBoundaries(server.test.db).withSnapshot(async (reading) => {
          const found = await reading.tileBoundaries({ box: tileBox({ z, x, y }), deepest, prefer: [] }, signal);
          return found.length === 0 ? null : drawTile(server.engine, found, { z, x, y, ...frame }, NO_LINES, signal);
        });
        if (bytes === null || bytes.length === 0) continue;
        const { areas = [], lines = [] } = decodeTile(bytes);
        count += areas.length;
        expect(await troublesOf(areas), `${z}/${x}/${y}`).toEqual([]);
        expect(looseLines(areas, lines), `${z}/${x}/${y}`).toEqual([]);
      }
    }
    expect(count).toBeGreaterThan(isWhole ? 10_000 : 100);
  });
});
