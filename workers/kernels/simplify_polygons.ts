import turfSimplify from '@turf/simplify';
import { FULL, type Polygons } from '../contract.ts';
import { type IsCancelled, stopIf } from '../halt.ts';
import { toleranceMetres } from './levels.ts';
import { isValid } from './overlay.ts';

const METRES_PER_DEGREE = 111_319.490793;

/**
 * A level for polygons that have no arcs (results of an overlay): Douglas-Peucker by @turf/simplify, kept only when
 * what comes out is valid; half the tolerance is tried next, and after four failures the polygons stay as they are.
 * The tolerance is measured in degrees of latitude, so that it is never exceeded on the ground. Throws a DOMException
 * named AbortError once `isCancelled` returns true, which is asked between tries.
 */
export async function simplifyPolygons(
  polygons: Polygons,
  level: number,
  isCancelled?: IsCancelled,
): Promise<Polygons> {
  if (level === FULL || polygons.polygonEnd.length === 0) return polygons;
  for (let meters = toleranceMetres(level), tries = 0; tries < 4; meters /= 2, tries++) {
    stopIf(isCancelled);
    const simplified = simplifyOnce(polygons, (meters / METRES_PER_DEGREE) * 1e7);
    if (simplified.polygonEnd.length > 0 && !(await isValid(simplified))) return simplified;
  }
  return polygons;
}

function simplifyOnce(polygons: Polygons, tolerance: number): Polygons {
  const coordinates: number[][][][] = [];
  let ring = 0;
  let vertex = 0;
  for (const to of polygons.polygonEnd) {
    const rings: number[][][] = [];
    for (; ring < to; ring++) {
      const points: number[][] = [];
      for (; vertex < polygons.ringEnd[ring]; vertex++) {
        points.push([polygons.coords[2 * vertex], polygons.coords[2 * vertex + 1]]);
      }
      rings.push(points);
    }
    coordinates.push(rings);
  }
  const { geometry } = turfSimplify(
    { type: 'Feature', properties: {}, geometry: { type: 'MultiPolygon', coordinates } },
    { tolerance, highQuality: true, mutate: true },
  );
  const flat: number[] = [];
  const ringEnd: number[] = [];
  const polygonEnd: number[] = [];
  for (const rings of geometry.coordinates) {
    for (const points of rings) {
      for (const [x, y] of points) flat.push(x, y);
      ringEnd.push(flat.length / 2);
    }
    polygonEnd.push(ringEnd.length);
  }
  return {
    coords: Int32Array.from(flat),
    ringEnd: Uint32Array.from(ringEnd),
    polygonEnd: Uint32Array.from(polygonEnd),
  };
}
