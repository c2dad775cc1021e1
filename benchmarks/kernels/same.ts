import { createHash } from 'node:crypto';
import { leading } from '../../test/setup/elements.ts';
import type { Polygons } from '../../workers/contract.ts';
import { defined } from '../../workers/defined.ts';

/**
 * The polygons as one line per ring, in order: whether it is a shell, its number of vertices, and a hash of them from
 * the smallest one, counterclockwise. Two lists are equal exactly when the same rings bound the same area.
 */
function ringLines({ coords, ringEnd, polygonEnd }: Polygons): string[] {
  const shells = new Set([0, ...polygonEnd]);
  const lines: string[] = [];
  let from = 0;
  ringEnd.forEach((end, r) => {
    lines.push(
      `${shells.has(r) ? 'shell' : 'hole'} ${end - from - 1} ${ringHash(coords.subarray(2 * from, 2 * end - 2))}`,
    );
    from = end;
  });
  return lines.sort();
}

export function samePolygons(a: Polygons, b: Polygons): boolean {
  const [one, other] = [ringLines(a), ringLines(b)];
  return one.length > 0 && one.length === other.length && one.every((line, i) => line === other[i]);
}

/** The number of vertices of all rings, without the repeated ones. */
export const vertices = ({ coords, ringEnd }: Polygons): number => coords.length / 2 - ringEnd.length;

function ringHash(ring: Int32Array): string {
  const n = ring.length / 2;
  let smallest = 0;
  let doubleArea = 0;
  // Relative to the first vertex, so that a double has enough precision for the sign of the sum.
  const [x0, y0] = leading(ring, 2);
  for (let v = 0; v < n; v++) {
    const [x, y] = [defined(ring[2 * v]), defined(ring[2 * v + 1])];
    const next = v + 1 < n ? 2 * v + 2 : 0;
    doubleArea += (x - x0) * (defined(ring[next + 1]) - y0) - (defined(ring[next]) - x0) * (y - y0);
    if (x < defined(ring[2 * smallest]) || (x === ring[2 * smallest] && y < defined(ring[2 * smallest + 1])))
      smallest = v;
  }
  const walk = new Int32Array(ring.length);
  for (let v = 0, at = smallest; v < n; v++, at = doubleArea > 0 ? (at + 1) % n : (at + n - 1) % n) {
    walk[2 * v] = defined(ring[2 * at]);
    walk[2 * v + 1] = defined(ring[2 * at + 1]);
  }
  return createHash('sha256').update(new Uint8Array(walk.buffer)).digest('hex');
}

/** Polygons as GeoJSON, in degrees. */
export function toGeojson({ coords, ringEnd, polygonEnd }: Polygons): GeoJSON.MultiPolygon {
  let ring = 0;
  let vertex = 0;
  const coordinates = Array.from(polygonEnd, (end) => {
    const polygon: GeoJSON.Position[][] = [];
    for (; ring < end; ring++) {
      const line: GeoJSON.Position[] = [];
      for (; vertex < defined(ringEnd[ring]); vertex++)
        line.push([defined(coords[2 * vertex]) / 1e7, defined(coords[2 * vertex + 1]) / 1e7]);
      polygon.push(line);
    }
    return polygon;
  });
  return { type: 'MultiPolygon', coordinates };
}

/** Polygons from GeoJSON coordinates in degrees, rounded to 1e-7; closes open rings. */
export function fromGeojson(coordinates: readonly (readonly (readonly GeoJSON.Position[])[])[]): Polygons {
  const coords: number[] = [];
  const ringEnd: number[] = [];
  const polygonEnd: number[] = [];
  for (const polygon of coordinates) {
    for (const ring of polygon) {
      const start = coords.length;
      for (const [x, y] of ring) coords.push(Math.round(defined(x) * 1e7), Math.round(defined(y) * 1e7));
      const n = coords.length;
      if (coords[start] !== coords[n - 2] || coords[start + 1] !== coords[n - 1])
        coords.push(defined(coords[start]), defined(coords[start + 1]));
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
