/** What is stored of the land of boundaries besides shapes, and what a summary says of it. */

import type { LandOfBoundary } from '../../../workers/arcs/land.ts';
import type { StoredApart } from './apart.ts';
import { type LandSummary, MOST_LISTED } from './model.ts';
import { brokenColumns } from './parts.ts';

/** What cutting a boundary gave; without a place, no coast is near it. */
export type Cut =
  | Extract<LandOfBoundary, { readonly land: unknown }>
  | {
      readonly unknown: readonly [x: number, y: number] | null;
      readonly contradiction: boolean;
      readonly reason?: string;
    };

/** A row of boundary_land. */
export function rowOf(
  boundary_id: string,
  found: Cut,
  landKm2: number,
  broken: StoredApart['broken'][number] | undefined,
) {
  const none = { boundary_id, land_km2: null, lat: null, lon: null };
  if (broken) return { ...none, ...brokenColumns(broken) };
  if ('land' in found) {
    const state = found.land.length === 0 ? 'water' : found.water.length > 0 ? 'mixed' : 'land';
    return { boundary_id, state, land_km2: landKm2, reason: null, lat: null, lon: null };
  }
  if (found.unknown === null) return { ...none, state: 'unknown', reason: 'no coast is stored near it' };
  const [lon, lat] = found.unknown;
  const reason =
    found.reason ??
    (found.contradiction
      ? 'the coast is incomplete or contradicts itself'
      : 'no coast shows on which side the land is');
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
