import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PolygonTile } from '../../workers/arcs/tile_polygons.ts';
import type { Polygons } from '../../workers/contract.ts';
import { leading } from '../setup/elements.ts';

/** One polygon of closed rings in degrees, the shell first. */
function polygonsOf(...rings: readonly (readonly (readonly [number, number])[])[]): Polygons {
  const coords: number[] = [];
  const ends: number[] = [];
  for (const ring of rings) {
    for (const [lon, lat] of [...ring, ring[0] as [number, number]]) {
      coords.push(Math.round(lon * 1e7), Math.round(lat * 1e7));
    }
    ends.push(coords.length / 2);
  }
  return { coords: Int32Array.from(coords), ringEnd: Uint32Array.from(ends), polygonEnd: Uint32Array.of(rings.length) };
}

interface Drawn {
  /** Of all rings, holes taken away. */
  area: number;
  /** Edges of borders, sorted. */
  edges: string[];
}

function drawn(all: readonly (Polygons | null)[], tile: PolygonTile): Drawn {
  const out: Drawn = { area: 0, edges: [] };
  for (const polygons of all) {
    if (polygons !== null) tile.area(polygons);
  }
  tile.finish({
    ring(_b, points, count) {
      for (let i = 0, j = count - 1; i < count; j = i++) {
        const [[ax, ay], [bx, by]] = [leading(points.slice(2 * j), 2), leading(points.slice(2 * i), 2)];
        out.area += (ax * by - bx * ay) / 2;
      }
    },
    line(_b, _marked, points, count) {
      for (let i = 1; i < count; i++) {
        const edge = [points.slice(2 * i - 2, 2 * i).join(' '), points.slice(2 * i, 2 * i + 2).join(' ')];
        out.edges.push(edge.sort().join());
      }
    },
  });
  out.edges.sort();
  return out;
}

const SIDE = 4096 + 128;

describe('polygons in a tile', () => {
  it('fill a tile that they enclose, with the hole that lies in it', () => {
    const around: [number, number][] = [
      [-40, -40],
      [40, -40],
      [40, 40],
      [-40, 40],
    ];
    const hole: [number, number][] = [
      [1, 1],
      [1, 2],
      [2, 2],
      [2, 1],
    ];
    expect(drawn([polygonsOf(around)], new PolygonTile({ z: 6, x: 32, y: 31 }, 1))).toEqual({
      area: SIDE ** 2,
      edges: [],
    });
    const cut = drawn([polygonsOf(around, hole)], new PolygonTile({ z: 6, x: 32, y: 31 }, 1));
    expect(cut.area).toBeLessThan(SIDE ** 2);
    expect(cut.edges).toHaveLength(4);
  });

  it('have no border where a ring around a pole goes there and back', () => {
    const eastward = Array.from({ length: 36 }, (_, i): [number, number] => [((5 + 10 * i + 180) % 360) - 180, 70]);
    const { area, edges } = drawn([polygonsOf(eastward)], new PolygonTile({ z: 0, x: 0, y: 0 }, 1));
    expect(area).toBeGreaterThan(0);
    const rows = edges.flatMap((edge) => edge.split(',').map((point) => Number(point.split(' ')[1])));
    expect(rows.length).toBeGreaterThan(0);
    expect(new Set(rows).size).toBe(1);
  });

  it('give the border that two share once', () => {
    const west = polygonsOf([
      [0, 0],
      [1, 0.5],
      [1, 2],
      [0, 2],
    ]);
    const east = polygonsOf([
      [1, 0.5],
      [2, 0],
      [2, 2],
      [1, 2],
    ]);
    const { edges } = drawn([west, east], new PolygonTile({ z: 5, x: 16, y: 15 }, 1));
    expect(new Set(edges).size).toBe(edges.length);
    expect(edges).toHaveLength(7);
  });

  it('go on beyond 180 degrees, in the buffer of the tile on the other side', () => {
    const east = polygonsOf([
      [179, 1],
      [180, 1],
      [180, 2],
      [179, 2],
    ]);
    const { area, edges } = drawn([east], new PolygonTile({ z: 6, x: 0, y: 31 }, 1));
    expect(area).toBeGreaterThan(0);
    // The side along 180 degrees is where data is cut, not a border.
    expect(edges.every((edge) => !/^0 \S+,0 /.test(edge))).toBe(true);
    const beside = new PolygonTile({ z: 6, x: 0, y: 31 }, 1);
    expect(
      beside.crop(
        polygonsOf([
          [10, 1],
          [11, 1],
          [11, 2],
        ]),
      ),
    ).toBeNull();
  });

  it('that are cropped for a tile are drawn as before, there and in the tiles within it', () => {
    const star = fc.array(fc.double({ min: 0.05, max: 1, noNaN: true }), { minLength: 5, maxLength: 60 }).map((radii) =>
      radii.map((radius, i): [number, number] => {
        const angle = (2 * Math.PI * i) / radii.length;
        return [60 * radius * Math.cos(angle) + 10, 40 * radius * Math.sin(angle) + 10];
      }),
    );
    let cropped = 0;
    fc.assert(
      fc.property(
        star,
        fc.integer({ min: 1, max: 6 }),
        fc.nat(),
        fc.nat(),
        fc.constantFrom(1, 2),
        (ring, z, a, b, cell) => {
          const polygons = polygonsOf(ring);
          const middle = 2 ** (z - 1);
          const place = { z, x: middle - 1 + (a % 3), y: Math.max(0, middle - 1 + (b % 3) - 1) };
          if (place.x >= 2 ** z) return;
          const left = new PolygonTile(place, cell).crop(polygons);
          if (left !== polygons) cropped++;
          expect(drawn([left], new PolygonTile(place, cell))).toEqual(drawn([polygons], new PolygonTile(place, cell)));
          const within = { z: z + 1, x: 2 * place.x + (a % 2), y: 2 * place.y + (b % 2) };
          expect(drawn([left], new PolygonTile(within, 1))).toEqual(drawn([polygons], new PolygonTile(within, 1)));
        },
      ),
      { numRuns: 2_000 },
    );
    expect(cropped).toBeGreaterThan(500);
  });
});
