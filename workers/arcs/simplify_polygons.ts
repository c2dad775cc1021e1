import turfSimplify from '@turf/simplify';
import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import { FULL, type Polygons } from '../contract.ts';
import { toleranceMeters } from './levels.ts';
import { isValid } from './overlay.ts';

const METERS_PER_DEGREE = 111_319.490793;

/**
 * Polygons without arcs (results of an overlay), simplified to a level: Douglas-Peucker by @turf/simplify, accepted
 * only when the result is valid. Otherwise half the tolerance is tried; after four failures the polygons are returned
 * unchanged. The tolerance is measured in degrees of latitude, so on the ground it is exceeded by at most 0.4 %.
 * @throws DOMException named AbortError when canceled; checked between tries
 */
export async function simplifyPolygons(polygons: Polygons, level: number, isCanceled?: IsCanceled): Promise<Polygons> {
  if (level === FULL || polygons.polygonEnd.length === 0) return polygons;
  for (let meters = toleranceMeters(level), tries = 0; tries < 4; meters /= 2, tries++) {
    throwIfCanceled(isCanceled);
    const simplified = simplifyOnce(polygons, (meters / METERS_PER_DEGREE) * 1e7);
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
