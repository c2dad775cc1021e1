import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PolygonTile } from '../../workers/arcs/tile_polygons.ts';
import type { Polygons } from '../../workers/contract.ts';
import { AreaLayers } from '../../workers/formats/tile/layers.ts';
import { drawn, isWhole, rounds, seeds } from '../proof/rounds.ts';
import { crossingWorld, randomWorld, realWorlds } from '../proof/worlds.ts';
import { REAL_DATA_DIR as dataDir } from '../sources/coverage_support.ts';
import { type Decoded, decodeTile, doubleArea } from './decode.ts';
import { looseLines, misfits, troublesOf } from './valid.ts';
import { expectValidTiles, placesOf } from './world_tiles.ts';

const PLACE = { z: 4, x: 8, y: 7 };
/** 1e-7 degrees per grid line of that tile. */
const LINE = 3_600_000_000 / (4096 * 16);

/** Areas of one tile. */
function tileOf(all: readonly Polygons[], cell: number): { areas: Decoded[]; lines: Decoded[] } {
  const tile = new PolygonTile(PLACE, cell);
  for (const polygons of all) tile.area(polygons);
  const layers = new AreaLayers((b) => [b + 1, {}]);
  tile.finish({
    ring: (b, points, count) => layers.ring(b, points, count),
    line: (_b, _marked, points, count, maritime) => layers.line({ level: 2, disputed: null, maritime }, points, count),
  });
  const bytes = layers.finish();
  const { areas = [], lines = [] } = bytes.length === 0 ? {} : decodeTile(bytes);
  return { areas, lines };
}

/** Polygons from rings in grid lines of the tile (y upward from its lower side), a shell and its holes each. */
function polygonsOf(...polygons: readonly (readonly (readonly [number, number])[])[][]): Polygons {
  const coords: number[] = [];
  const ringEnd: number[] = [];
  const polygonEnd: number[] = [];
  for (const rings of polygons) {
    for (const ring of rings) {
      for (const [x, y] of [...ring, ring[0]!]) coords.push(Math.round(x * LINE), Math.round(y * LINE));
      ringEnd.push(coords.length / 2);
    }
    polygonEnd.push(ringEnd.length);
  }
  return {
    coords: Int32Array.from(coords),
    ringEnd: Uint32Array.from(ringEnd),
    polygonEnd: Uint32Array.from(polygonEnd),
  };
}

const areaOf = ({ parts }: Decoded): number => parts.reduce((sum, ring) => sum + doubleArea(ring) / 2, 0);
const square = (x: number, y: number, side: number): [number, number][] => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
];

describe('areas of a tile', () => {
  it('are valid and fit, whatever the zoom', { timeout: 240_000 }, async () => {
    let count = 0;
    for (const seed of seeds(1, 12)) {
      for (const world of [randomWorld(seed), crossingWorld(seed)]) {
        for (let z = 0; z <= 14; z += 2) {
          const places = placesOf(world, z);
          const step = Math.max(1, Math.floor(places.length / 4));
          count += await expectValidTiles(
            world,
            places.filter((_, i) => i % step === 0),
          );
        }
      }
    }
    expect(count).toBeGreaterThan(isWhole ? 500 : 30);
  });

  it.skipIf(!dataDir)('are valid and fit in real data (REAL_DATA_DIR)', { timeout: 240_000 }, async () => {
    for (const name of drawn(['europe', 'some of France', 'usa'])) {
      const world = await realWorlds(dataDir!)[name]!();
      for (let z = 0; z <= 12; z++) {
        const places = placesOf(world, z);
        const step = Math.max(1, Math.floor(places.length / 5));
        await expectValidTiles(
          world,
          places.filter((_, i) => i % step === 0),
        );
      }
    }
  });

  it('keep a strait that is wider than a grid line, and lose a narrower one on both sides alike', async () => {
    const west = polygonsOf([square(100, 100, 50)]);
    for (const [gap, isKept] of [
      [3, true],
      [0.2, false],
    ] as const) {
      const { areas } = tileOf([west, polygonsOf([square(150 + gap, 100, 50)])], 1);
      expect(await troublesOf(areas)).toEqual([]);
      expect(await misfits(areas)).toEqual([]);
      const shared = looseLines([areas[0]!], [areas[1]!]).length;
      expect(shared).toBe(isKept ? 4 : 3);
    }
  });

  it('become a shell with a hole, or two shells, where they touch themselves', async () => {
    const pinched = polygonsOf([
      [
        [100, 100],
        [200, 100],
        [200, 200],
        [100, 200],
        [100, 150.1],
        [140, 160],
        [140, 140],
        [100, 149.9],
      ],
    ]);
    const { areas } = tileOf([pinched], 1);
    expect(await troublesOf(areas)).toEqual([]);
    expect(areas[0]!.parts.map((ring) => Math.sign(doubleArea(ring)))).toEqual([1, -1]);
    const waisted = polygonsOf([
      [
        [100, 100],
        [150, 149.9],
        [200, 100],
        [200, 200],
        [150, 150.1],
        [100, 200],
      ],
    ]);
    const { areas: two } = tileOf([waisted], 1);
    expect(await troublesOf(two)).toEqual([]);
    expect(two[0]!.parts.map((ring) => Math.sign(doubleArea(ring)))).toEqual([1, 1]);
  });

  it('have nothing without area: no spike, no speck, no line', async () => {
    const spiked = polygonsOf(
      [
        [
          [100, 100],
          [200, 100],
          [200, 150],
          [300, 150.2],
          [200, 150.3],
          [200, 200],
          [100, 200],
        ],
      ],
      [square(400, 400, 0.3)],
    );
    const { areas, lines } = tileOf([spiked], 1);
    expect(await troublesOf(areas)).toEqual([]);
    expect(areas[0]!.parts).toHaveLength(1);
    expect(Math.max(...areas[0]!.parts[0]!.map(({ x }) => x))).toBe(200);
    expect(looseLines(areas, lines)).toEqual([]);
  });

  it('whose rings cross or overlap have inside what a ring turns around', async () => {
    const overlapping = polygonsOf([square(100, 100, 100)], [square(150, 150, 100)], [square(160, 160, 20)]);
    const [one] = tileOf([overlapping], 1).areas;
    expect(await troublesOf([one!])).toEqual([]);
    // Rows of the map are not as wide as columns away from the equator.
    expect(areaOf(one!) / 17_500).toBeCloseTo(1, 1);
    const outside = polygonsOf([square(100, 100, 100), square(300, 300, 50).reverse()]);
    expect(areaOf(tileOf([outside], 1).areas[0]!) / 10_000).toBeCloseTo(1, 1);
  });

  it('are valid whatever the rings are', { timeout: 240_000 }, async () => {
    const at = fc.oneof(fc.integer({ min: -80, max: 120 }), fc.double({ min: -80, max: 4200, noNaN: true }));
    const ring = fc.array(fc.tuple(at, at), { minLength: 3, maxLength: 12 });
    const area = fc.array(fc.array(ring, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(area, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(1, 2, 4),
        async (given, cell) => {
          const { areas, lines } = tileOf(
            given.map((one) => polygonsOf(...one)),
            cell,
          );
          expect(await troublesOf(areas)).toEqual([]);
          expect(looseLines(areas, lines)).toEqual([]);
        },
      ),
      { numRuns: rounds(1_500) },
    );
  });

  it('are on a coarser grid where a file scribbles over a tile', async () => {
    const scribble = Array.from({ length: 6_000 }, (_, i): [number, number] => [
      ((i * 7_919) % 4_001) + (i % 7) / 8,
      ((i * 104_729) % 3_989) + (i % 5) / 8,
    ]);
    const { areas } = tileOf([polygonsOf([scribble])], 1);
    expect(await troublesOf(areas)).toEqual([]);
    const points = areas[0]!.parts.flat();
    expect(points.length).toBeGreaterThan(1_000);
    // On every 16th line, so that its 12 million pixels are a million.
    expect(points.every(({ x, y }) => x % 16 === 0 && y % 16 === 0)).toBe(true);
  });
});
