/** Polygons of collections, compared on the grid of 1e-7 degrees. */
import { createHash } from 'node:crypto';

export interface Geometry {
  readonly type: string;
  readonly coordinates: unknown;
}
export interface Feature {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: Geometry | null;
}
export type Ring = readonly (readonly [number, number])[];

/** The rings of a polygon or of several, one after the other. */
export function ringsOf({ type, coordinates }: Geometry): Ring[] {
  const polygons = (type === 'Polygon' ? [coordinates] : coordinates) as Ring[][];
  return polygons.flat();
}

/** A ring on the grid from its smallest vertex, in the direction that sorts first. */
export function canonical(ring: Ring): string {
  const points = ring.slice(0, -1).map(([x, y]) => `${Math.round(x * 1e7)} ${Math.round(y * 1e7)}`);
  const turned = (list: string[]): string => {
    let least = 0;
    for (let i = 1; i < list.length; i++) if (list[i] < list[least]) least = i;
    return [...list.slice(least), ...list.slice(0, least)].join();
  };
  const [one, other] = [turned(points), turned([...points].reverse())];
  return [one, other].sort()[0];
}

/** A hash of rings that depends neither on their order nor on where they start. */
export const hashOf = (rings: readonly Ring[]): string =>
  createHash('sha256').update(rings.map(canonical).sort().join('|')).digest('base64');

/** Twice the exact area in grid units. */
export function doubleArea(geometry: Geometry): bigint {
  let sum = 0n;
  for (const ring of ringsOf(geometry)) {
    const grid = ring.map(([x, y]) => [BigInt(Math.round(x * 1e7)), BigInt(Math.round(y * 1e7))]);
    for (let i = 1; i < grid.length; i++) sum += grid[i - 1][0] * grid[i][1] - grid[i][0] * grid[i - 1][1];
  }
  return sum;
}
