import type { Coords } from '../../../workers/contract.ts';
import { cutAtSeam } from './seam.ts';

/** Why a feature has no rings. The file goes on without it. */
export class Unusable extends Error {}

/** The rings of an area in 1e-7 degrees, polygon after polygon. */
export interface Shape {
  readonly rings: Coords[];
  /** After which ring each polygon ends; each has one at least. */
  readonly polygonEnd: number[];
}

/** Ends the polygon at hand of a shape; one without a ring is left out. */
export function endPolygon({ rings, polygonEnd }: Shape): void {
  if (rings.length > (polygonEnd.at(-1) ?? 0)) polygonEnd.push(rings.length);
}

/** The rings of a shape. @throws as shapeOf does */
export function ringsOf(geometry: unknown): Coords[] {
  return shapeOf(geometry).rings;
}

/**
 * The rings of a GeoJSON Polygon or MultiPolygon, or of those in a GeometryCollection, in 1e-7 degrees: rounded to the
 * grid, consecutive equal vertices once, cut at the antimeridian. Which ring of a polygon is a hole does not matter
 * (even-odd).
 * @throws Unusable for a feature without an area; Error for coordinates that are not degrees, which condemn the file
 */
export function shapeOf(geometry: unknown): Shape {
  const shape: Shape = { rings: [], polygonEnd: [] };
  for (const polygon of polygonsOf(geometry, 0)) {
    if (!Array.isArray(polygon)) throw new Unusable('coordinates are not lists of rings');
    for (const ring of polygon) shape.rings.push(...closedRing(ring));
    endPolygon(shape);
  }
  if (shape.rings.length === 0) throw new Unusable('an empty geometry');
  return shape;
}

/** Collections of collections are read this deep: RFC 7946 advises against any. */
export const DEEPEST = 8;

function polygonsOf(geometry: unknown, depth: number): unknown[] {
  if (geometry === null || geometry === undefined) throw new Unusable('no geometry');
  const { type, coordinates, geometries } = geometry as { type?: unknown; coordinates?: unknown; geometries?: unknown };
  if (type === 'GeometryCollection' && Array.isArray(geometries) && depth < DEEPEST) {
    return geometries.flatMap((one) => polygonsOf(one, depth + 1));
  }
  if (type !== 'Polygon' && type !== 'MultiPolygon') throw notAnArea(type);
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  if (!Array.isArray(polygons)) throw new Unusable('no coordinates');
  return polygons;
}

function closedRing(positions: unknown): Coords[] {
  if (!Array.isArray(positions)) throw new Unusable('a ring is not a list of positions');
  const ring = new Int32Array(2 * positions.length);
  let n = 0;
  for (const position of positions as unknown[]) {
    if (!Array.isArray(position)) throw new Unusable('a position is not a pair of numbers');
    const x = toGrid(position[0], 180);
    const y = toGrid(position[1], 90);
    if (n > 0 && ring[n - 2] === x && ring[n - 1] === y) continue;
    ring[n++] = x;
    ring[n++] = y;
  }
  return finishRing(ring.slice(0, n));
}

/** A ring on the grid, cut at the antimeridian. Closing one that is open would draw a line no one drew: refused. */
export function finishRing(ring: Coords): Coords[] {
  if (ring.length === 0) return [];
  if (ring[0] !== ring.at(-2) || ring[1] !== ring.at(-1)) throw new Unusable('a ring is not closed');
  return cutAtSeam(ring);
}

/**
 * A longitude or latitude as an integer of 1e-7 degrees.
 * @param limit 180 or 90; a ten-thousandth of a degree more is taken for the limit itself, as rounding leaves it
 * @throws Error when the value is not a number of degrees
 */
export function toGrid(value: unknown, limit: number): number {
  const degrees = numberOf(value);
  if (Math.abs(degrees) > limit + 1e-4) {
    if (limit === 180 && degrees > 0 && degrees <= 360 + 1e-4) {
      throw new Error(
        `the longitude ${degrees} is beyond 180: longitudes from 0 to 360 are not read, so take 360 from those beyond 180 first`,
      );
    }
    if (limit === 90 && Math.abs(degrees) <= 180) {
      throw new Error(
        `the latitude ${degrees} is beyond 90: are latitude and longitude the wrong way round? ` +
          'GeoJSON has the longitude first (ogr2ogr -s_srs EPSG:4326 -t_srs OGC:CRS84)',
      );
    }
    throw new Error(
      `the coordinate ${degrees} is outside ±${limit}: degrees of longitude and latitude (WGS 84) are needed, ` +
        'so convert a projected file first (ogr2ogr -t_srs EPSG:4326)',
    );
  }
  return Math.round(Math.min(Math.max(degrees, -limit), limit) * 1e7) + 0;
}

/** A number of a position. @throws Error that shows what is there instead */
export function numberOf(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new Error(value === undefined ? 'a position lacks a coordinate' : `a coordinate is ${shown(value)}`);
}

/** The beginning of a value in a file, for people. */
export const shown = (value: unknown): string =>
  typeof value === 'number' ? String(value) : JSON.stringify(value ?? null).slice(0, 60);

/** What is said of a geometry of a type other than areas. */
export const notAnArea = (type: unknown): Unusable =>
  new Unusable(typeof type === 'string' ? `a ${type} is not an area` : 'a geometry without a type');
