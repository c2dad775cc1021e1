import { defined } from '../../defined.ts';
import { geojsonOf, parseJson, systemOf } from '../geojson/read.ts';
import {
  type PolygonRings,
  type Position,
  type ReadFeature,
  type ReadOptions,
  type Tally,
  Unreadable,
  type WholeDocument,
} from '../reading/document.ts';
import { chooseLayer, withoutLayers } from '../reading/layers.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads TopoJSON (github.com/topojson/topojson-specification, version 2): the polygons of its object, or of the one
 * that `layer` names, with or without a transform.
 * @throws Unreadable
 */
export function readTopojson(text: string, options: ReadOptions = {}): WholeDocument {
  return topologyOf(parseJson(text), options);
}

/**
 * Reads GeoJSON or TopoJSON, whichever the text is: TopoJSON files are often named `.json` too.
 * @throws Unreadable
 */
export function readJson(text: string, options: ReadOptions = {}): WholeDocument {
  const value = parseJson(text);
  if (isObject(value) && value.type === 'Topology') return topologyOf(value, options);
  if (options.layer !== undefined) throw withoutLayers();
  return geojsonOf(value);
}

function topologyOf(value: unknown, { layer }: ReadOptions): WholeDocument {
  if (!isObject(value) || value.type !== 'Topology' || !isObject(value.objects)) {
    throw new Unreadable('this is not a TopoJSON topology');
  }
  const chosen = chooseLayer(Object.keys(value.objects), layer);
  const tally: Tally = { left: 0 };
  const arcs = arcsOf(value, tally);
  const features: ReadFeature[] = [];
  if (chosen !== null) addFeatures(value.objects[chosen], arcs, features, tally);
  return { name: typeof value.name === 'string' ? value.name : null, system: systemOf(value.crs), features, tally };
}

function arcsOf({ arcs, transform }: Json, counts: Tally): Position[][] {
  const { scale, translate } = isObject(transform) ? transform : {};
  const pair = (given: unknown): readonly number[] | null =>
    Array.isArray(given) && given.length === 2 && given.every((one) => typeof one === 'number') ? given : null;
  const [by, from] = [pair(scale), pair(translate)];
  if (isObject(transform) && (by === null || from === null)) throw new Unreadable('its transform is not one');
  return list(arcs, 'arcs').map((arc) => {
    let [x, y] = [0, 0];
    return list(arc, 'an arc').map((given): Position => {
      const [lon, lat, height] = list(given, 'a position');
      if (height !== undefined) counts.heights = true;
      if (typeof lon !== 'number' || typeof lat !== 'number') {
        throw new Unreadable('a position is not a pair of numbers');
      }
      if (by === null || from === null) return [lon, lat];
      x += lon;
      y += lat;
      return [x * defined(by[0]) + defined(from[0]), y * defined(by[1]) + defined(from[1])];
    });
  });
}

function addFeatures(object: unknown, arcs: readonly Position[][], features: ReadFeature[], counts: Tally): void {
  if (!isObject(object)) throw new Unreadable('an object is not a geometry');
  if (object.type === 'GeometryCollection') {
    for (const part of list(object.geometries, 'geometries')) addFeatures(part, arcs, features, counts);
    return;
  }
  const properties = isObject(object.properties) ? object.properties : {};
  const id = typeof object.id === 'string' || typeof object.id === 'number' ? String(object.id) : null;
  const name = typeof properties.name === 'string' ? properties.name : null;
  const polygon = (rings: unknown): PolygonRings => list(rings, 'rings').map((ring) => ringOf(ring, arcs));
  const polygons =
    object.type === 'Polygon'
      ? [polygon(object.arcs)]
      : object.type === 'MultiPolygon'
        ? list(object.arcs, 'polygons').map(polygon)
        : [];
  if (polygons.length === 0 && object.type !== null) counts.left++;
  features.push({ id, name, properties, polygons: polygons.filter((rings) => rings.length > 0) });
}

/** Concatenates arcs; the first vertex of each repeats the last of the previous one. */
function ringOf(ring: unknown, arcs: readonly Position[][]): Position[] {
  const positions: Position[] = [];
  for (const ref of list(ring, 'a ring')) {
    const arc = Number.isInteger(ref) ? arcs[(ref as number) < 0 ? ~(ref as number) : (ref as number)] : undefined;
    if (arc === undefined) throw new Unreadable('a ring names an arc that is not there');
    const count = arc.length;
    for (let i = positions.length === 0 ? 0 : 1; i < count; i++) {
      positions.push((ref as number) < 0 ? defined(arc[count - 1 - i]) : defined(arc[i]));
    }
  }
  return positions;
}

function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unreadable(`${what} are not a list`);
  return value;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
