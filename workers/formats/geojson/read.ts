import {
  MAX_DEPTH,
  type PolygonRings,
  type Position,
  type ReadFeature,
  type ReferenceSystem,
  type Tally,
  Unreadable,
  type WholeDocument,
} from '../reading/document.ts';
import { oneSystem } from '../reading/system.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads GeoJSON (RFC 7946): a FeatureCollection, a Feature, or a bare geometry. Heights are dropped.
 * @throws Unreadable
 */
export function readGeojson(text: string): WholeDocument {
  return geojsonOf(parseJson(text));
}

/**
 * Parses JSON whose nesting is at most MAX_DEPTH.
 * @throws Unreadable
 */
export function parseJson(text: string): unknown {
  requireShallow(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unreadable(`this is not JSON: ${(error as Error).message}`);
  }
}

/**
 * Like readGeojson(), for JSON that is already parsed.
 * @throws Unreadable
 */
export function geojsonOf(value: unknown): WholeDocument {
  if (!isObject(value)) throw new Unreadable('this is not a GeoJSON object');
  if (value.type === undefined && Array.isArray(value.elements))
    throw new Unreadable('this is OpenStreetMap data, as Overpass answers: import it with boundary import');
  const tally: Tally = { left: 0 };
  const name = textOf(value.name);
  if (value.type !== 'FeatureCollection') {
    return { name, system: systemOfAll([value], undefined), tally, features: [readFeature(value, tally)] };
  }
  if (!Array.isArray(value.features)) throw new Unreadable('the FeatureCollection has no features');
  const features = value.features.map((feature) => {
    if (!isObject(feature) || feature.type !== 'Feature')
      throw new Unreadable('`features` holds what is not a Feature');
    return readFeature(feature, tally);
  });
  return { name, system: systemOfAll(value.features as Json[], value.crs), tally, features };
}

/**
 * The reference system of features or geometries.
 * @param head the crs member of their collection
 * @throws Unreadable where they differ
 */
function systemOfAll(all: readonly Json[], head: unknown): ReferenceSystem | null {
  let known = systemOf(head) ?? (undefined as ReferenceSystem | null | undefined);
  for (const one of all) for (const crs of crsMembers(one, head)) known = oneSystem(known, systemOf(crs));
  return known ?? null;
}

/**
 * The crs members of a feature or geometry and of what is in it: RFC 7946 has none, PostGIS writes one into a geometry.
 * @param around that of what it is in, which holds where it names none itself
 * @returns null for each geometry for which none is named
 */
export function* crsMembers(value: unknown, around: unknown = null): Generator<unknown, undefined> {
  if (!isObject(value)) return;
  const own = value.crs ?? null;
  if (own !== null) yield own;
  const known = own ?? around ?? null;
  if (value.type === 'Feature') yield* crsMembers(value.geometry, known);
  else if (Array.isArray(value.geometries)) for (const one of value.geometries) yield* crsMembers(one, known);
  else if (known === null) yield null;
}

/** The reference system of files older than RFC 7946, which has only degrees of WGS 84. */
export function systemOf(crs: unknown): ReferenceSystem | null {
  if (crs === undefined || crs === null) return null;
  const { name } = isObject(crs) && isObject(crs.properties) ? crs.properties : {};
  return { name: typeof name === 'string' ? name : JSON.stringify(crs) };
}

/**
 * Counts brackets outside of strings, before the recursive parser runs.
 * @throws Unreadable when they are nested too deeply
 */
function requireShallow(text: string): void {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === ']' || character === '}') depth--;
    else if ((character === '[' || character === '{') && ++depth > MAX_DEPTH) {
      throw new Unreadable(`its brackets are nested more than ${MAX_DEPTH} deep`);
    }
  }
}

/**
 * The polygons of a GeoJSON geometry. Adds the number of its other parts, and whether it has heights, to `counts`.
 * @throws Unreadable
 */
export function polygonsOf(geometry: unknown, counts: Tally): PolygonRings[] {
  if (geometry === null || geometry === undefined) return [];
  if (!isObject(geometry)) throw new Unreadable('a geometry is not an object');
  const { type, coordinates } = geometry;
  if (hasHeights(coordinates)) counts.heights = true;
  switch (type) {
    case 'Polygon':
      return polygonOf(coordinates);
    case 'MultiPolygon':
      return list(coordinates).flatMap(polygonOf);
    case 'GeometryCollection':
      return list(geometry.geometries).flatMap((part) => polygonsOf(part, counts));
    case 'Point':
    case 'MultiPoint':
    case 'LineString':
    case 'MultiLineString':
      counts.left++;
      return [];
    default:
      throw new Unreadable(`there is no geometry of the type ${JSON.stringify(type ?? null).slice(0, 60)}`);
  }
}

/** Whether the first position has more than a longitude and a latitude. */
function hasHeights(coordinates: unknown): boolean {
  let first = coordinates;
  while (Array.isArray(first) && Array.isArray(first[0])) [first] = first;
  return Array.isArray(first) && first.length > 2;
}

function readFeature(value: Json, counts: Tally): ReadFeature {
  const isFeature = value.type === 'Feature';
  const properties = isFeature && isObject(value.properties) ? value.properties : {};
  const id = typeof value.id === 'number' ? String(value.id) : textOf(value.id);
  return {
    id,
    name: textOf(properties.name),
    properties,
    polygons: polygonsOf(isFeature ? value.geometry : value, counts),
  };
}

function polygonOf(coordinates: unknown): PolygonRings[] {
  const rings = list(coordinates).map((ring) => list(ring).map(positionOf));
  return rings.length === 0 ? [] : [rings];
}

function positionOf(value: unknown): Position {
  const [lon, lat] = list(value);
  if (typeof lon !== 'number' || typeof lat !== 'number') throw new Unreadable('a position is not a pair of numbers');
  return [lon, lat];
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unreadable('coordinates are not nested as their geometry has them');
  return value;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
