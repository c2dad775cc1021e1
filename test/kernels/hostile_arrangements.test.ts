import { describe, expect, it } from 'vitest';
import { cutChains } from '../../workers/arcs/cut.ts';
import { materialize } from '../../workers/arcs/layout.ts';
import { writerDigits } from '../../workers/arcs/levels.ts';
import { isValid } from '../../workers/arcs/overlay.ts';
import { assembleRings } from '../../workers/arcs/rings.ts';
import { buildArrangement, NOTHING_STORED } from '../../workers/build.ts';
import { END_CLASSES, FULL, LEVELS, type Polygons } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { FORMATS, writeDocument } from '../../workers/formats/registry.ts';
import { gmlFaults, kmlFaults } from '../formats/structure.ts';
import { documentOf, HOSTILE, text } from '../formats/support.ts';
import { readXml } from '../formats/xml_tree.ts';
import { closed, leading } from '../setup/elements.ts';
import { polygonsOf, random, tableOf } from './topology.ts';

/** Rings in one boundary: RINGS=1000000 is the proof in full. */
const RINGS = Number(process.env.RINGS ?? 40_000);

type Point = [number, number];

/** Where hostile shapes lie: the middle of the world, its edges, corners and poles. */
const PLACES: readonly (readonly [west: number, south: number])[] = [
  [0, 0],
  [60e6, 495e6],
  [18e8 - 900, -9e8],
  [-18e8, 9e8 - 900],
  [-18e8, -9e8],
  [18e8 - 900, 9e8 - 900],
];

/** One closed or open chain of a kind that no mapper would draw on purpose, within 900 units of a place. */
function hostileChain(next: () => number, [west, south]: readonly [number, number], step: number): Int32Array {
  const most = Math.floor(900 / step);
  const at = (): Point => [
    west + step * Math.floor(next() * (most + 1)),
    south + step * Math.floor(next() * (most + 1)),
  ];
  const [a, b, c, d] = [at(), at(), at(), at()];
  const shapes: (() => Point[])[] = [
    () => [],
    () => [a],
    () => [a, a, a],
    () => [a, b, a],
    // A triangle with a spike, then with a vertex repeated, then one that doubles back along an edge.
    () => [a, b, c, d, c, a],
    () => [a, a, b, b, b, c, a, a],
    () => [a, b, c, b, c, a],
    // A bowtie or a rectangle, as it comes.
    () => [a, b, c, d, a],
    () => [a, [b[0], a[1]], b, [a[0], b[1]], a],
    // All round twice.
    () => [a, b, c, a, b, c, a],
    // Open.
    () => [a, b, c],
    () => {
      const center = at();
      const count = 3 + Math.floor(next() * 60);
      const ring = Array.from({ length: count }, (_, i): Point => {
        const angle = (2 * Math.PI * i) / count;
        const reach = step * (1 + next() * 8);
        return [clamp(center[0] + reach * Math.cos(angle), west), clamp(center[1] + reach * Math.sin(angle), south)];
      });
      return closed(ring);
    },
  ];
  const chain = defined(shapes[Math.floor(next() * shapes.length)])();
  return Int32Array.from((next() < 0.3 ? chain.reverse() : chain).flat());
}

const clamp = (value: number, from: number) => Math.round(Math.min(from + 900, Math.max(from, value)));

/** Every writer over some polygons; faults that a reader would find. */
function writtenFaults(polygons: Polygons, level: number): string[] {
  const faults: string[] = [];
  const doc = documentOf({ id: HOSTILE, name: HOSTILE, properties: { [HOSTILE]: HOSTILE } });
  for (const format of FORMATS) {
    const written = text(writeDocument(format, polygons, { ...doc, digits: writerDigits(format, level) }));
    if (format === 'geojson') JSON.parse(written);
    if (format === 'svg') readXml(written);
    if (format === 'gml') faults.push(...gmlFaults(written, null));
    if (format === 'kml') faults.push(...kmlFaults(written, null));
    if (format === 'wkt' && !/^(MULTI)?POLYGON[ (]/.test(written)) faults.push(written.slice(0, 20));
  }
  return faults;
}

describe('hostile boundaries', () => {
  it('are trouble, or valid at every level and in every format', { timeout: 300_000 }, async () => {
    const seen = { trouble: 0, sound: 0, conflict: 0 };
    for (let seed = 1; seed <= 200; seed++) {
      const next = random(seed);
      const place = defined(PLACES[seed % PLACES.length]);
      // Coarse steps make what touches, runs along and repeats; fine ones what crosses.
      const step = defined([1, 50, 300][Math.floor(next() * 3)]);
      const chains = Array.from({ length: 1 + Math.floor(next() * 6) }, () => hostileChain(next, place, step));
      const boundaries = Array.from({ length: 1 + Math.floor(next() * 4) }, () => ({
        chains: Uint32Array.from({ length: Math.floor(next() * 5) }, () => Math.floor(next() * chains.length)),
        adminLevel: 1 + Math.floor(next() * END_CLASSES),
      }));
      const built = buildArrangement({ chains, storedFrom: chains.length, boundaries, ...NOTHING_STORED });
      const crossing = new Set(built.conflicts.flatMap(({ a, b }) => [a, b]));
      for (const [i, one] of built.boundaries.entries()) {
        if ('trouble' in one) {
          expect(one.trouble).not.toBe('');
          seen.trouble++;
          continue;
        }
        const conflict = [...one.rings.refs].some((ref) => crossing.has(ref < 0 ? ~ref : ref));
        if (conflict) seen.conflict++;
        else seen.sound++;
        // Next to a pole a square meter is less than the sum of its ring can tell.
        expect(one.areaKm2, `seed ${seed}`).toBeGreaterThanOrEqual(
          place[1] === 0 || place[1] === 495e6 ? Number.MIN_VALUE : 0,
        );
        for (let level = FULL; level < LEVELS; level += level < 3 ? 1 : 3) {
          const laid = materialize(built.arcs, one.rings, level, defined(boundaries[i]).adminLevel - 1);
          expect(laid.polygonEnd.length, `seed ${seed}, level ${level}`).toBeGreaterThan(0);
          // Of arcs that cross those of another boundary nothing is promised but at full detail.
          if (conflict && level !== FULL) continue;
          expect(await isValid(laid), `seed ${seed}, level ${level}`).toBeNull();
          expect(writtenFaults(laid, level), `seed ${seed}, level ${level}`).toEqual([]);
        }
      }
    }
    expect(Math.min(seen.trouble, seen.sound, seen.conflict), JSON.stringify(seen)).toBeGreaterThan(6);
  });

  it('that are the whole world, half of it, or a cap round a pole, have their area', async () => {
    // Edges of 90 degrees at most: between points half a turn apart no way is the shortest.
    const rectangle = ([w, s, e, n]: readonly [number, number, number, number]) => {
      const along = [0, 1, 2, 3, 4].map((i) => w + ((e - w) * i) / 4);
      const ring = [...along.map((x) => [x, s]), ...along.reverse().map((x) => [x, n]), [w, s]];
      return Int32Array.from(ring.flat(), (degrees) => degrees * 1e7);
    };
    const sphere = 510_065_621.724;
    for (const [box, share] of [
      [[-180, -90, 180, 90], 1],
      [[-180, 0, 180, 90], 0.5],
      [[0, -90, 180, 90], 0.5],
      [[-180, -90, 0, 0], 0.25],
    ] as const) {
      const chains = [rectangle(box)];
      const boundaries = [{ chains: Uint32Array.of(0), adminLevel: 2 }];
      const [one] = leading(buildArrangement({ chains, storedFrom: 1, boundaries, ...NOTHING_STORED }).boundaries, 1);
      if ('trouble' in one) throw new Error(one.trouble);
      expect(one.areaKm2 / sphere, box.join()).toBeCloseTo(share, 6);
      expect(await isValid(materialize(tableOf(chains), one.rings, FULL, 0))).toBeNull();
    }
  });
});

describe(`${RINGS} rings`, { timeout: 600_000 }, () => {
  /** A lattice of squares with a hole in every other one, and an island in every other hole. */
  function squares(): Int32Array[] {
    const side = Math.ceil(Math.sqrt(RINGS / 1.75));
    const square = (x: number, y: number, r: number) =>
      Int32Array.of(x - r, y - r, x + r, y - r, x + r, y + r, x - r, y + r, x - r, y - r);
    const chains: Int32Array[] = [];
    for (let i = 0; chains.length < RINGS; i++) {
      const [x, y] = [100 * (i % side), 100 * Math.floor(i / side)];
      chains.push(square(x, y, 40));
      if (i % 2 === 0) chains.push(square(x, y, 20));
      if (i % 4 === 0) chains.push(square(x, y, 10));
    }
    return chains;
  }

  it('of one boundary are nested and written', () => {
    const chains = squares();
    const { arcs, refs } = cutChains(chains);
    expect(arcs).toHaveLength(chains.length);
    const table = tableOf(arcs);
    const used = Int32Array.from(
      refs.flatMap((list) => [...list]),
      (ref) => (ref < 0 ? ~ref : ref),
    );
    const result = assembleRings(table, used);
    if ('trouble' in result) throw new Error(result.trouble.reason);
    const radius = (arc: Int32Array) => {
      const [a, , b, , c] = leading(arc, 5);
      return Math.max(a, b, c) - Math.min(a, b, c);
    };
    const holes = chains.filter((chain) => radius(chain) === 40).length;
    expect(result.rings.ringEnd.length).toBe(chains.length);
    expect(result.rings.polygonEnd.length).toBe(chains.length - holes);
    const polygons = polygonsOf(table, result.rings);
    // Each hole comes after its own shell, in the middle of it.
    const middle = (ring: number) => {
      const [ax, ay, , , bx, by] = leading(polygons.coords.subarray(10 * ring), 6);
      return `${ax + bx} ${ay + by}`;
    };
    let ring = 0;
    let astray = 0;
    for (const end of polygons.polygonEnd) {
      for (const shell = ring; ring < end; ring++) if (middle(ring) !== middle(shell)) astray++;
    }
    expect(astray).toBe(0);
    for (const format of FORMATS) {
      expect(writeDocument(format, polygons, documentOf()).length).toBeGreaterThan(10 * chains.length);
    }
  });
});
