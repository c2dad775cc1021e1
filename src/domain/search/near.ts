import type { Database } from '../../db/connect.ts';
import { loadQuery } from '../../db/query.ts';
import { type Candidate, STEP_ROWS } from './candidates.ts';

/** Half the height of the box searched around a place, in degrees of latitude. */
const NEAR_DEGREES = 1;

/** Finds names near a place that equal or start with the query; thousands of matches elsewhere may hide them. */
export async function searchNear(
  db: Database,
  folded: string,
  near: { readonly lat: number; readonly lon: number },
  filters: readonly unknown[],
): Promise<Candidate[]> {
  const width = Math.min(90, NEAR_DEGREES / Math.max(0.01, Math.cos((near.lat * Math.PI) / 180)));
  const [west, east] = [near.lon - width, near.lon + width];
  // A box across the antimeridian is searched as two boxes.
  const beyond = west < -180 ? 360 : east > 180 ? -360 : 0;
  return db.query(loadQuery('search_near'), [
    folded,
    [west, west + beyond],
    [near.lat - NEAR_DEGREES, near.lat + NEAR_DEGREES],
    [east, east + beyond],
    ...filters,
    STEP_ROWS,
  ]);
}
