import type { BuiltBoundary } from '../../../workers/arrangement.ts';
import type { Candidate, Run, ShapeFault } from './source_rows.ts';

/** Limits of the area of a new shape divided by that of the one before. */
const MIN_AREA_RATIO = 0.5;
const MAX_AREA_RATIO = 2;

/**
 * Returns why a new shape of a boundary must not be published, or null: it has no area, or not what it had. An area below
 * half or above double that of the
 * last good shape of the same source is more often a mistake on the map than a reform. It is published all the same if
 * the admin_level, `boundary` or `type` tag changed too, or if the operator accepts the boundary.
 */
export function areaTrouble(run: Run, candidate: Candidate, shape: BuiltBoundary): ShapeFault | null {
  const { id, input, stored } = candidate;
  if (!(shape.areaKm2 > 0)) return { trouble: 'it has no area', x: shape.center[0], y: shape.center[1] };
  if (!stored?.has_geometry || stored.area_km2 === null || stored.source !== run.input.source.id) return null;
  const share = shape.areaKm2 / stored.area_km2;
  if (share >= MIN_AREA_RATIO && share <= MAX_AREA_RATIO) return null;
  if (run.input.accept?.has(id)) return null;
  if (input && (input.type !== stored.type || input.adminLevel !== stored.admin_level)) return null;
  if (input && (input.tags.type ?? null) !== stored.relation_type) return null;
  const [x, y] = shape.center;
  return { trouble: `area ${km2(shape.areaKm2)} km² after ${km2(stored.area_km2)} km²`, x, y };
}

const km2 = (area: number) => Number(area.toPrecision(4));
