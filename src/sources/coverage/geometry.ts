import type { Coords } from '../../../workers/contract.ts';
import { cutAtSeam } from './seam.ts';

/** Why a feature has no rings. The file goes on without it. */
export class Unusable extends Error {}

/**
 * The rings of a GeoJSON Polygon or MultiPolygon in 1e-7 degrees: rounded to the grid, consecutive equal vertices
 * once, cut at the antimeridian. Which ring is a hole does not matter (even-odd).
 * @throws Unusable for a feature without an area; Error for coordinates that are not degrees, which condemn the file
 */
export function ringsOf(geometry: unknown): Coords[] {
  if (geometry === null || geometry === undefined) throw new Unusable('no geometry');
  const { type, coordinates } = geometry as { type?: unknown; coordinates?: unknown };
  if (type !== 'Polygon' && type !== 'MultiPolygon') throw new Unusable(`a ${String(type)} is no area`);
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  if (!Array.isArray(polygons)) throw new Unusable('no coordinates');
  const rings: Coords[] = [];
  for (const polygon of polygons) {
    if (!Array.isArray(polygon)) throw new Unusable('coordinates are no lists of rings');
    for (const ring of polygon) rings.push(...closedRing(ring));
  }
  if (rings.length === 0) throw new Unusable('an empty geometry');
  return rings;
}

function closedRing(positions: unknown): Coords[] {
  if (!Array.isArray(positions)) throw new Unusable('a ring is no list of positions');
  const ring = new Int32Array(2 * positions.length);
  let n = 0;
  for (const position of positions as unknown[]) {
    if (!Array.isArray(position)) throw new Unusable('a position is no pair of numbers');
    const x = toGrid(position[0], 180);
    const y = toGrid(position[1], 90);
    if (n > 0 && ring[n - 2] === x && ring[n - 1] === y) continue;
    ring[n++] = x;
    ring[n++] = y;
  }
  return finishRing(ring.slice(0, n));
}

/** A ring on the grid, cut at the antimeridian. Closing one that is open would draw a line nobody drew: refused. */
export function finishRing(ring: Coords): Coords[] {
  if (ring.length === 0) return [];
  if (ring[0] !== ring.at(-2) || ring[1] !== ring.at(-1)) throw new Unusable('a ring is not closed');
  return cutAtSeam(ring);
}

/**
 * A longitude or latitude as an integer of 1e-7 degrees.
 * @param limit 180 or 90; a ten-thousandth of a degree more is taken for the limit itself, as rounding leaves it
 * @throws Error when the value is no number of degrees
 */
export function toGrid(value: unknown, limit: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(`a coordinate is ${String(value)}`);
  if (Math.abs(value) > limit + 1e-4) {
    throw new Error(
      `the coordinate ${value} is outside ±${limit}: degrees of longitude and latitude (WGS 84) are needed, ` +
        'so convert a projected file first (ogr2ogr -t_srs EPSG:4326)',
    );
  }
  return Math.round(Math.min(Math.max(value, -limit), limit) * 1e7) + 0;
}
