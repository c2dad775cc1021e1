/** Repairs areas that are not valid, for a conversion, by the rules of an import (arcs/clean.ts). */
import { cleanCoverage } from './arcs/clean.ts';
import { isValid } from './arcs/overlay.ts';
import type { Coords, GeometryFault, Polygons } from './contract.ts';
import { nestedPolygons } from './formats/reading/nest.ts';

/** What becomes of an area that is not valid: the file is refused, or it is repaired or left out, and listed. */
export type OnInvalid = 'refuse' | 'repair' | 'skip';

/** An area that was not valid, and what became of it. */
export interface AreaRepair {
  /** Its name or id, else its number in the file. */
  readonly area: string;
  readonly action: 'repaired' | 'skipped';
  /** Why it was not valid by OGC Simple Features, and the first place, in degrees. */
  readonly reason: string;
  readonly lat: number;
  readonly lon: number;
  /** Its area as drawn and after the repair; null where it was left out or has no size as drawn. */
  readonly km2_before: number | null;
  readonly km2_after: number | null;
}

const DEGREE = 1e7;

/** The place of a trouble and its reason, as a repair lists them. */
export const troubleOf = ({ reason, x, y }: GeometryFault): Pick<AreaRepair, 'reason' | 'lat' | 'lon'> => ({
  reason,
  lat: y / DEGREE,
  lon: x / DEGREE,
});

/**
 * The area that the rings of polygons draw: rings that cross or touch themselves become several, spikes and what a hole
 * has outside of its shell disappear, polygons of one area that overlap or share a border become one.
 * @returns null if nothing is left, or if the result is not valid
 */
export async function repaired(
  polygons: Polygons,
): Promise<{ readonly polygons: Polygons; readonly km2Before: number; readonly km2After: number } | null> {
  const rings = ringsOf(polygons);
  const { features, repairs } = await cleanCoverage([
    {
      rings,
      polygonEnd: [...polygons.polygonEnd],
      // The first ring of each polygon is its shell.
      shellEnd: [0, ...polygons.polygonEnd].slice(0, -1).map((start) => start + 1),
    },
  ]);
  const [{ rings: cleaned }] = features;
  if (cleaned.length === 0) return null;
  const nested = nestedPolygons(cleaned.map(positionsOf));
  const made = polygonsOf(nested.map((one) => one.map((ring) => Int32Array.from(ring.flat()))));
  if ((await isValid(made)) !== null) return null;
  const [{ km2Before, km2After }] = repairs.length > 0 ? repairs : [{ km2Before: 0, km2After: 0 }];
  return { polygons: made, km2Before, km2After };
}

function ringsOf({ coords, ringEnd }: Polygons): Coords[] {
  return Array.from(ringEnd, (end, i) => coords.slice(2 * (i === 0 ? 0 : ringEnd[i - 1]), 2 * end));
}

const positionsOf = (ring: Coords): [number, number][] =>
  Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i], ring[2 * i + 1]]);

/** Closed rings as polygons, shells counterclockwise and holes clockwise. */
function polygonsOf(all: readonly (readonly Coords[])[]): Polygons {
  const coords: number[] = [];
  const ringEnd: number[] = [];
  const polygonEnd: number[] = [];
  for (const rings of all) {
    for (const [i, ring] of rings.entries()) {
      const isShell = i === 0;
      const points = positionsOf(ring);
      for (const [x, y] of isCounterclockwise(ring) === isShell ? points : points.reverse()) coords.push(x, y);
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

function isCounterclockwise(ring: Coords): boolean {
  let sum = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    sum += (ring[i] - ring[0]) * (ring[i + 3] - ring[1]) - (ring[i + 2] - ring[0]) * (ring[i + 1] - ring[1]);
  }
  return sum > 0;
}
