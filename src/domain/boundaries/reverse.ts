import { defined } from '../../common/elements.ts';
import type { ResolvedBoundary } from './boundary.ts';
import type { Snapshot } from './reads.ts';

/** A point in degrees. */
export interface PointDegrees {
  readonly lat: number;
  readonly lon: number;
}

/** Locates a point (1e-7 degrees) for each boundary: 1 inside, 0 on the border, -1 outside. */
export type Locate = (boundaries: readonly ResolvedBoundary[], x: number, y: number) => Int8Array | Promise<Int8Array>;

/**
 * Returns the boundaries that contain a point, in no guaranteed order. Boundaries are closed sets: a point on the
 * border is inside. `locate` tests those candidates around the point that have a polygon.
 */
export async function boundariesAt(
  reading: Snapshot,
  { lat, lon }: PointDegrees,
  locate: Locate,
): Promise<ResolvedBoundary[]> {
  const around = await reading.byIds(await reading.around(lat, lon));
  const candidates = around.filter(({ has_geometry }) => has_geometry);
  const y = Math.round(lat * 1e7);
  // Longitudes 180 and -180 are the same meridian, and data exists on both sides of it.
  const meridians = Math.abs(lon) === 180 ? [lon, -lon] : [lon];
  const sides: Int8Array[] = [];
  for (const x of meridians) {
    const side = locate(candidates, Math.round(x * 1e7), y);
    sides.push(side instanceof Promise ? await side : side);
  }
  return candidates.filter((_, i) => sides.some((side) => defined(side[i]) >= 0));
}
