import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipRing, Points } from '../../workers/arcs/clip.ts';
import { columnOf, latitudeOf, longitudeOf, rowOf } from '../../workers/arcs/mercator.ts';
import { drawTile, type TileFrame } from '../../workers/arcs/tile.ts';
import { FULL, type Rings } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';
import { TileLayer, writeTile } from '../../workers/formats/tile/mvt.ts';
import { leading } from '../setup/elements.ts';
import { decodeTile } from '../tiles/decode.ts';
import { tableOf } from './topology.ts';

const unit = (degrees: readonly (readonly [number, number])[]): Int32Array =>
  Int32Array.from(degrees.flat(), (value) => Math.round(value * 1e7));

/** A boundary of one ring that is one arc. */
const ringOf = (arc: number): Rings => ({
  refs: Int32Array.of(arc),
  ringEnd: Uint32Array.of(1),
  polygonEnd: Uint32Array.of(1),
});

interface Drawn {
  readonly rings: number[][];
  readonly lines: number[][];
}

/** What of some rings lies in a tile, each ring as its points and each border as its points. */
function drawn(rings: readonly (readonly (readonly [number, number])[])[], z: number, x: number, y: number): Drawn {
  const table = tableOf(rings.map(unit));
  const frame: TileFrame = { z, x, y, level: FULL, endClass: 12 };
  const out: Drawn = { rings: [], lines: [] };
  drawTile(
    table,
    rings.map((_, i) => ringOf(i)),
    rings.map(() => ({ marked: false, water: 'unknown' as const })),
    frame,
    {
      ring: (_b, points, count) => void out.rings.push([...points.subarray(0, 2 * count)]),
      line: (_b, _marked, points, count) => void out.lines.push([...points.subarray(0, 2 * count)]),
    },
    () => false,
  );
  return out;
}

/** The area of a ring in units of the tile, positive for shells. */
function areaOf(points: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < points.length; i += 2) {
    const [[ax, ay], [bx, by]] = [leading(points.slice(i), 2), leading(points.slice((i + 2) % points.length), 2)];
    sum += ax * by - bx * ay;
  }
  return sum / 2;
}

const total = ({ rings }: Drawn): number => rings.reduce((sum, ring) => sum + areaOf(ring), 0);
const SIDE = 4096 + 128;

describe('a tile', () => {
  it('is filled by what encloses it, and has no border in it', () => {
    const around = [
      [-60, -60],
      [60, -60],
      [60, 60],
      [-60, 60],
      [-60, -60],
    ] as const;
    const inside = drawn([around], 6, 33, 31);
    expect(inside.lines).toEqual([]);
    expect(total(inside)).toBe(SIDE * SIDE);
    expect(defined(inside.rings[0]).length).toBe(8);
  });

  it('has both sides of what crosses the antimeridian by an edge', () => {
    const across = [
      [170, -10],
      [-170, -10],
      [-170, 10],
      [170, 10],
      [170, -10],
    ] as const;
    const whole = drawn([across], 0, 0, 0);
    // 20 of 360 degrees, once on each side; the buffer shows 64 more units of each side beyond the map.
    const height = (4096 * (2 * Math.log(Math.tan(Math.PI / 4 + (10 * Math.PI) / 360)))) / (2 * Math.PI);
    const width = (2 * 10 * 4096) / 360 + 128;
    expect(Math.abs(total(whole) - width * height)).toBeLessThan(0.02 * width * height);
    const [east, west] = [drawn([across], 3, 7, 3), drawn([across], 3, 0, 3)];
    expect(Math.abs(total(east) - total(west))).toBeLessThan(0.02 * total(west));
    expect(total(east)).toBeGreaterThan(0);
    expect(drawn([across], 3, 4, 3).rings).toEqual([]);
  });

  it('is filled from a ring around a pole to the end of the map', () => {
    // What a ring encloses is on its left: north of an eastward one.
    const eastward = Array.from({ length: 37 }, (_, i) => [i === 36 ? -180 : -180 + 10 * i, 70] as const);
    const south = eastward.map(([lon, lat]) => [lon, -lat] as const).reverse();
    const cap = drawn([south], 2, 1, 3);
    expect(total(cap)).toBeGreaterThan(0.5 * SIDE * SIDE);
    expect(drawn([south], 2, 1, 0).rings).toEqual([]);
    expect(total(drawn([eastward], 2, 1, 0))).toBeGreaterThan(0.5 * SIDE * SIDE);
    expect(drawn([eastward], 2, 1, 3).rings).toEqual([]);
  });

  it('has no border where data is cut at 180 degrees', () => {
    const cut = [
      [170, -10],
      [180, -10],
      [180, 10],
      [170, 10],
      [170, -10],
    ] as const;
    const { lines, rings } = drawn([cut], 3, 7, 3);
    expect(rings.length).toBe(1);
    const onSeam = lines.flatMap((points) =>
      points.flatMap((x, i) => (i % 2 === 0 && i >= 2 && x === 4096 && points[i - 2] === 4096 ? [x] : [])),
    );
    expect(lines.length).toBeGreaterThan(0);
    expect(onSeam).toEqual([]);
  });
});

describe('clipping', () => {
  const coordinate = fc.integer({ min: -200, max: 300 });
  const point = fc.tuple(coordinate, coordinate);

  it('cuts an edge at the same points in both directions', () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 3, maxLength: 9 }), (around) => {
        const clipped = (ring: readonly (readonly [number, number])[]): string[] => {
          const points = new Points();
          for (const [x, y] of ring) points.push(x, y, 1);
          const { data, count } = clipRing(points, 0, 100);
          return Array.from({ length: count }, (_, i) => `${data[2 * i]} ${data[2 * i + 1]}`).sort();
        };
        expect(clipped([...around].reverse())).toEqual(clipped(around));
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves the area of a triangle that its parts in four squares add up to', () => {
    fc.assert(
      fc.property(point, point, point, (a, b, c) => {
        const area = (x: number, y: number): number => {
          const ring = new Points();
          for (const [px, py] of [a, b, c]) ring.push(px - x, py - y, 1);
          const { data, count } = clipRing(ring, 0, 250);
          return areaOf([...data.subarray(0, 2 * count)]);
        };
        const parts = area(-200, -200) + area(50, -200) + area(-200, 50) + area(50, 50);
        const whole = areaOf([...a, ...b, ...c]);
        expect(Math.abs(parts - whole)).toBeLessThan(1e-6);
      }),
      { numRuns: 1_000 },
    );
  });
});

it('puts places on the grid and back', () => {
  const world = 4096 * 2 ** 14;
  for (const [lon, lat] of [
    [0, 0],
    [180, 85.0511],
    [-180, -85.0511],
    [6.13, 49.61],
  ]) {
    const [column, row] = [columnOf(defined(lon) * 1e7, world), rowOf(defined(lat) * 1e7, world)];
    expect(Math.abs(longitudeOf(column, world) - defined(lon) * 1e7)).toBeLessThan(60);
    expect(Math.abs(latitudeOf(row, world) - defined(lat) * 1e7)).toBeLessThan(60);
  }
  expect(rowOf(850_511_288, world)).toBe(0);
  expect(rowOf(900_000_000, world)).toBe(rowOf(890_000_000, world));
});

it('writes attributes as they are, whatever is in them', () => {
  const layer = new TileLayer('areas');
  const name = '<script>alert(1)</script>\u0000"\u202e\ud83d\ude00';
  layer.point(1, 2);
  layer.end('point', 2 ** 52, { name, level: 4, share: -1.5, disputed: true, country: null });
  layer.point(-5, 4000);
  layer.end('point', null, { name: '' });
  const { areas } = decodeTile(writeTile([layer, new TileLayer('none')]));
  expect(defined(areas)[0]).toMatchObject({ id: 2 ** 52, properties: { name, level: 4, share: -1.5, disputed: true } });
  expect(Object.keys(defined(defined(areas)[0]).properties)).not.toContain('country');
  expect(defined(areas)[1]).toMatchObject({ properties: { name: '' }, parts: [[{ x: -5, y: 4000 }]] });
});
