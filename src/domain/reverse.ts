import { defined } from '../elements.ts';
import type { Reading } from './boundaries_model.ts';
import type { ResolvedBoundary } from './boundary.ts';

/** A place, in degrees. */
export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** Where a point (1e-7 degrees) lies for each boundary: 1 inside, 0 on the border, -1 outside. */
export type Locate = (boundaries: readonly ResolvedBoundary[], x: number, y: number) => Int8Array | Promise<Int8Array>;

/**
 * The boundaries that hold a place, those on whose border it lies included (sets are closed), in no order. Of the
 * boundaries around it, those are `locate`d whose shapes `reading` knows.
 */
export async function holding(reading: Reading, { lat, lon }: Place, locate: Locate): Promise<ResolvedBoundary[]> {
  const around = await reading.byIds(await reading.around(lat, lon));
  const candidates = around.filter(({ has_geometry }) => has_geometry);
  const y = Math.round(lat * 1e7);
  // The meridian of the antimeridian has two names, and data lies on both sides of it.
  const meridians = Math.abs(lon) === 180 ? [lon, -lon] : [lon];
  const sides: Int8Array[] = [];
  for (const x of meridians) {
    const side = locate(candidates, Math.round(x * 1e7), y);
    sides.push(side instanceof Promise ? await side : side);
  }
  return candidates.filter((_, i) => sides.some((side) => defined(side[i]) >= 0));
}
