import { chainBox } from '../../../workers/arcs/box.ts';
import type { Coords } from '../../../workers/contract.ts';
import type { Placer } from '../../../workers/projections/place.ts';
import { cutAtSeam } from '../seam.ts';

/** The reason why a feature has no rings. The import skips the feature. */
export class Unusable extends Error {}

/** A coordinate is not a number of degrees: the file may be in another reference system. */
export class NotDegrees extends Error {}

/** The most rings of one area, far above that of a country with all its islands. */
const MOST_RINGS = 1_000_000;

/** The rings of an area in 1e-7 degrees, grouped by polygon. */
export interface Shape {
  readonly rings: Coords[];
  /** Per polygon, the index after its last ring; each polygon has at least one ring. */
  readonly polygonEnd: number[];
  /** Per polygon, the index after the last ring of its shell; the others are its holes. */
  readonly shellEnd: number[];
  /** Whether longitudes were given from 0 to 360: 360 was subtracted from those beyond 180. */
  isWide?: true;
  /** The number of points and lines beside its polygons, which are left out. */
  others: number;
}

/**
 * Adds a polygon: its shell and its holes, each cut into rings already. The shell is the first, or one whose box contains
 * that of the first: some programs write a hole first. Does nothing if there are no rings.
 * @throws Error for a shape of more than MOST_RINGS rings
 */
export function addPolygon(shape: Shape, given: readonly (readonly Coords[])[]): void {
  const shell = shellOf(given);
  const shellEnd = shape.rings.length + (given[shell]?.length ?? 0);
  for (const ring of given[shell] ?? []) shape.rings.push(ring);
  given.forEach((pieces, i) => {
    if (i !== shell) for (const ring of pieces) shape.rings.push(ring);
  });
  checkSize(shape);
  if (shape.rings.length === (shape.polygonEnd.at(-1) ?? 0)) return;
  shape.shellEnd.push(shellEnd);
  shape.polygonEnd.push(shape.rings.length);
}

/** Adds the polygons of another shape. @throws Error for a shape of more than MOST_RINGS rings */
export function addShape(shape: Shape, other: Shape): void {
  const from = shape.rings.length;
  for (const ring of other.rings) shape.rings.push(ring);
  for (const end of other.polygonEnd) shape.polygonEnd.push(from + end);
  for (const end of other.shellEnd) shape.shellEnd.push(from + end);
  checkSize(shape);
}

function checkSize({ rings }: Shape): void {
  if (rings.length > MOST_RINGS) throw new Error(`an area of more than ${MOST_RINGS} rings is not read`);
}

/** The index of the ring that is the shell. */
function shellOf(given: readonly (readonly Coords[])[]): number {
  let shell = 0;
  let box: readonly number[] | null = null;
  for (const [i, pieces] of given.entries()) {
    const [ring, ...more] = pieces;
    // A ring cut at the antimeridian goes around the world: its pieces have no box of their own.
    if (ring === undefined || more.length > 0) {
      if (i === 0) return 0;
      continue;
    }
    const own = chainBox(ring);
    if (box !== null && !contains(own, box)) continue;
    shell = i;
    box = own;
  }
  return shell;
}

/** Whether a box contains another one, which is not equal. */
function contains([west, south, east, north]: readonly number[], [w, s, e, n]: readonly number[]): boolean {
  const around = west! <= w! && south! <= s! && east! >= e! && north! >= n!;
  return around && (west !== w || south !== s || east !== e || north !== n);
}

/** Whether the box of one of a shape's rings meets a box in degrees, of which west > east crosses 180 degrees. */
export function meets(
  { rings }: Shape,
  [west, south, east, north]: readonly [number, number, number, number],
): boolean {
  const boxes = west <= east ? [[west, east] as const] : [[west, 180] as const, [-180, east] as const];
  return rings.some((ring) => {
    const [w, s, e, n] = chainBox(ring).map((value) => value / 1e7) as [number, number, number, number];
    return n >= south && s <= north && boxes.some(([from, to]) => e >= from && w <= to);
  });
}

/** A shape without polygons. */
export const emptyShape = (): Shape => ({ rings: [], polygonEnd: [], shellEnd: [], others: 0 });

/** The rings of a GeoJSON geometry, see shapeOf. @throws as shapeOf does */
export function ringsOf(geometry: unknown): Coords[] {
  return shapeOf(geometry).rings;
}

/**
 * The shape of a GeoJSON Polygon or MultiPolygon, or of those in a GeometryCollection, in 1e-7 degrees: rounded to the
 * grid, without repeated vertices, cut at the antimeridian.
 * @param place moves the rings into degrees on WGS 84; null: they are
 * @throws Unusable for a feature without an area; Error for coordinates that are not degrees, which fails the file
 */
export function shapeOf(geometry: unknown, place: Placer | null = null): Shape {
  const shape = emptyShape();
  const onWide = (): void => {
    shape.isWide = true;
  };
  const onOther = (): void => {
    shape.others++;
  };
  for (const polygon of areasOf(geometry, onOther).flatMap(polygonsOf)) {
    if (!Array.isArray(polygon)) throw new Unusable('coordinates are not lists of rings');
    addPolygon(
      shape,
      polygon.map((ring) => closedRing(place === null ? ring : placed(ring, place), onWide)),
    );
  }
  if (shape.rings.length === 0) throw new Unusable('an empty geometry');
  return shape;
}

/** Degrees by which rounding may take a longitude or latitude beyond its limit. */
const ROUNDED = 1e-4;

/** The deepest nesting of GeometryCollections that is read; RFC 7946 advises against any nesting. */
const DEEPEST = 8;

/** Types of GeoJSON and TopoJSON that have no area. */
const POINTS_AND_LINES: ReadonlySet<unknown> = new Set(['Point', 'MultiPoint', 'LineString', 'MultiLineString']);

/**
 * The polygons and multipolygons of a GeoJSON or TopoJSON geometry: itself, or those of a GeometryCollection.
 * @param onOther called for each point and line beside an area
 * @throws Unusable for a geometry that has no area
 */
export function areasOf(geometry: unknown, onOther: () => void, depth = 0): Readonly<Record<string, unknown>>[] {
  if (typeof geometry !== 'object' || geometry === null) throw new Unusable('no geometry');
  const known = geometry as Readonly<Record<string, unknown>>;
  const { type, geometries } = known;
  if (type === 'Polygon' || type === 'MultiPolygon') return [known];
  if (type === null || type === undefined) throw new Unusable('no geometry');
  if (type !== 'GeometryCollection' || !Array.isArray(geometries) || depth >= DEEPEST) {
    throw new Unusable(typeof type === 'string' ? `a ${type} is not an area` : 'a geometry of no type');
  }
  const isOther = (one: unknown): boolean => POINTS_AND_LINES.has((one as { type?: unknown } | null)?.type);
  const others = geometries.filter(isOther);
  if (others.length === geometries.length && others.length > 0) throw new Unusable('it has only points and lines');
  for (const _ of others) onOther();
  return geometries.flatMap((one) => (isOther(one) ? [] : areasOf(one, onOther, depth + 1)));
}

function polygonsOf({ type, coordinates }: Readonly<Record<string, unknown>>): unknown[] {
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  if (!Array.isArray(polygons)) throw new Unusable('no coordinates');
  return polygons;
}

/** A ring of another reference system in degrees on WGS 84. @throws RangeError for a position that it has not */
function placed(positions: unknown, { ring }: Placer): (readonly [number, number])[] {
  if (!Array.isArray(positions)) throw new Unusable('a ring is not a list of positions');
  for (const position of positions as unknown[]) {
    if (!Array.isArray(position)) throw new Unusable('a position is not a pair of numbers');
    numberOf(position[0]);
    numberOf(position[1]);
  }
  return ring(positions as (readonly [number, number])[]);
}

/** @param onWide called for a longitude beyond 180, from which 360 is subtracted */
function closedRing(positions: unknown, onWide: () => void): Coords[] {
  if (!Array.isArray(positions)) throw new Unusable('a ring is not a list of positions');
  const ring = new Int32Array(2 * positions.length);
  let n = 0;
  for (const position of positions as unknown[]) {
    if (!Array.isArray(position)) throw new Unusable('a position is not a pair of numbers');
    const x = longitudeToGrid(position[0], onWide);
    const y = toGrid(position[1], 90);
    if (n > 0 && ring[n - 2] === x && ring[n - 1] === y) continue;
    ring[n++] = x;
    ring[n++] = y;
  }
  return finishRing(ring.slice(0, n));
}

/** A longitude from -180 to 360 as toGrid() gives it. @param onWide called for one beyond 180, from which 360 is subtracted */
export function longitudeToGrid(lon: unknown, onWide: () => void): number {
  const isWide = typeof lon === 'number' && lon > 180 + ROUNDED && lon <= 360 + ROUNDED;
  if (isWide) onWide();
  return toGrid(isWide ? lon - 360 : lon, 180);
}

/**
 * Cuts a ring on the grid at the antimeridian.
 * @throws Unusable for an open ring, because closing it would invent an edge
 */
export function finishRing(ring: Coords): Coords[] {
  if (ring.length === 0) return [];
  if (ring[0] !== ring.at(-2) || ring[1] !== ring.at(-1)) throw new Unusable('a ring is not closed');
  return cutAtSeam(ring);
}

/**
 * A longitude or latitude as an integer of 1e-7 degrees.
 * @param limit 180 or 90; up to ROUNDED degrees more counts as the limit, as rounding may cause that
 * @throws Error when the value is not a number of degrees
 */
export function toGrid(value: unknown, limit: number): number {
  const degrees = numberOf(value);
  if (Math.abs(degrees) > limit + ROUNDED) {
    if (limit === 90 && Math.abs(degrees) <= 180) {
      throw new Error(
        `the latitude ${degrees} is beyond 90: are latitude and longitude the wrong way round? ` +
          'GeoJSON has the longitude first (ogr2ogr -s_srs EPSG:4326 -t_srs OGC:CRS84)',
      );
    }
    throw new NotDegrees(
      `the coordinate ${degrees} is outside ±${limit}: degrees of longitude and latitude (WGS 84) are needed, ` +
        'so name the reference system of a projected file with --crs (EPSG:2154)',
    );
  }
  return Math.round(Math.min(Math.max(degrees, -limit), limit) * 1e7) + 0;
}

/** A coordinate of a position. @throws Error that shows the value if it is not a finite number */
export function numberOf(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new Error(value === undefined ? 'a position lacks a coordinate' : `a coordinate is ${shown(value)}`);
}

/** The first 60 characters of a value in a file, for messages. */
export const shown = (value: unknown): string =>
  typeof value === 'number' ? String(value) : JSON.stringify(value ?? null).slice(0, 60);
