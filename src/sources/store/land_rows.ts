/** What is stored of the land of boundaries besides shapes, and what a summary says of it. */

import type { LandOfBoundary, WhyUnknown } from '../../../workers/arcs/land.ts';
import type { StoredApart } from './apart.ts';
import { brokenColumns } from './parts.ts';
import { type LandSummary, MOST_LISTED } from './summary.ts';

/** What cutting a boundary gave; unknown without a place: no coast is near it. */
export type Cut =
  | Extract<LandOfBoundary, { readonly land: unknown }>
  | {
      readonly unknown: readonly [x: number, y: number] | null;
      readonly reason: string;
    };

/** Why the coast of OpenStreetMap does not say where the land of a boundary is. */
export const REASONS: Readonly<Record<WhyUnknown, string>> = {
  open: 'no coast shows on which side the land is',
  broken: 'the coast is incomplete or contradicts itself',
  uncovered: 'it has no coast, and no file with coastlines states an extent that has all of it',
};

/** A row of boundary_land. */
export function rowOf(
  boundary_id: string,
  found: Cut,
  landKm2: number,
  decidedBy: string | null,
  broken: StoredApart['broken'][number] | undefined,
) {
  const none = { boundary_id, land_km2: null, lat: null, lon: null, decided_by: null };
  if (broken) return { ...none, ...brokenColumns(broken) };
  if ('land' in found) {
    const state = found.land.length === 0 ? 'water' : found.water.length > 0 ? 'mixed' : 'land';
    return { boundary_id, state, land_km2: landKm2, reason: null, lat: null, lon: null, decided_by: decidedBy };
  }
  if (found.unknown === null) return { ...none, state: 'unknown', reason: found.reason };
  const [lon, lat] = found.unknown;
  const { reason } = found;
  return { ...none, state: 'unknown', reason, lat, lon };
}

/** Counts rows in the summary of an import, and lists those whose land is unknown. */
export function note(summary: LandSummary, rows: readonly ReturnType<typeof rowOf>[]): void {
  summary.worked += rows.length;
  for (const { boundary_id: id, state, reason, lat, lon } of rows) {
    if (state !== 'unknown') continue;
    summary.unknown++;
    if (reason !== null && lat !== null && lon !== null && summary.broken.length < MOST_LISTED)
      summary.broken.push({ id, reason, lat: lat / 1e7, lon: lon / 1e7 });
  }
}
