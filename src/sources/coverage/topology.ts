import type { Coords } from '../../../workers/contract.ts';
import type { Placer } from '../../../workers/projections/place.ts';
import {
  addPolygon,
  areasOf,
  emptyShape,
  finishRing,
  longitudeToGrid,
  numberOf,
  type Shape,
  shown,
  toGrid,
  Unusable,
} from './geometry.ts';

/** The members of a TopoJSON geometry object that are read. */
export interface TopologyGeometry {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly properties?: unknown;
  readonly arcs?: unknown;
  readonly geometries?: unknown;
}

/** A TopoJSON file with decoded arcs: a shared arc has the same integer vertices on both sides. */
export interface Topology {
  /** Names of its objects. */
  readonly names: readonly string[];
  /** The geometries of an object: the members of a collection, or the object itself. */
  geometriesOf(name: string): readonly TopologyGeometry[];
  /** Rings in 1e-7 degrees, as ringsOf and shapeOf in geometry.ts return them. */
  ringsOf(geometry: TopologyGeometry): Coords[];
  shapeOf(geometry: TopologyGeometry): Shape;
}

/** Whether a JSON object is a TopoJSON topology, by its `type`. */
export function isTopology(value: Readonly<Record<string, unknown>>): boolean {
  return value.type === 'Topology';
}

/**
 * Decodes a TopoJSON object (TopoJSON format specification, sections 2.1.3 and 2.1.4: quantized positions are
 * differences, arcs are shared, a negative reference ~i walks arc i backward).
 * @param place moves its positions into degrees on WGS 84; null: they are
 * @throws Error if it is malformed or its coordinates are not degrees
 */
export function readTopology(value: Readonly<Record<string, unknown>>, place: Placer | null = null): Topology {
  const { arcs, transform, objects } = value;
  if (!Array.isArray(arcs) || !isObject(objects)) throw new Error('a topology without arcs or objects');
  const step = transform === undefined || transform === null ? null : readTransform(transform);
  // Arcs with longitudes beyond 180, from which 360 is subtracted, as from those of GeoJSON.
  const wide = new Set<number>();
  const decoded = arcs.map((arc, i) => decodeArc(arc, step, place, () => wide.add(i)));
  const shapeOf = (geometry: TopologyGeometry): Shape => {
    const shape = emptyShape();
    const onOther = (): void => {
      shape.others++;
    };
    for (const polygon of areasOf(geometry, onOther).flatMap(polygonsOf)) {
      addPolygon(
        shape,
        listOf(polygon).map((ring) => {
          const refs = listOf(ring);
          if (wide.size > 0 && refs.some((ref) => wide.has(Number(ref) < 0 ? ~Number(ref) : Number(ref))))
            shape.isWide = true;
          return finishRing(walk(decoded, refs));
        }),
      );
    }
    if (shape.rings.length === 0) throw new Unusable('an empty geometry');
    return shape;
  };
  return {
    names: Object.keys(objects),
    geometriesOf(name) {
      const object = Object.hasOwn(objects, name) ? objects[name] : undefined;
      if (object === undefined) throw new Error(`no object "${name}" in the topology`);
      if (!isObject(object)) throw new Error(`the object "${name}" of the topology is not a geometry`);
      if (object.type !== 'GeometryCollection') return [object];
      const { geometries } = object;
      if (!Array.isArray(geometries) || !geometries.every(isObject)) {
        throw new Error(`the object "${name}" of the topology contains something that is not a geometry`);
      }
      return geometries as TopologyGeometry[];
    },
    shapeOf,
    ringsOf: (geometry) => shapeOf(geometry).rings,
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Unusable('arcs are not lists of rings');
  return value;
}

const polygonsOf = ({ type, arcs }: Readonly<Record<string, unknown>>): readonly unknown[] =>
  type === 'Polygon' ? [arcs] : listOf(arcs);

/** Converts positions on the quantized grid to degrees: `position * scale + translate`. */
interface Transform {
  readonly scale: readonly [number, number];
  readonly translate: readonly [number, number];
}

function readTransform(transform: unknown): Transform {
  const { scale, translate } = isObject(transform) ? transform : {};
  const isPair = (pair: unknown): pair is [number, number] =>
    Array.isArray(pair) && pair.length === 2 && pair.every(Number.isFinite);
  if (!isPair(scale) || !isPair(translate)) throw new Error('the transform of the topology is not valid');
  return { scale, translate };
}

function decodeArc(arc: unknown, transform: Transform | null, place: Placer | null, onWide: () => void): Coords {
  if (!Array.isArray(arc)) throw new Error('an arc of the topology is not a list of positions');
  const line: [number, number][] = [];
  let x = 0;
  let y = 0;
  for (const position of arc as unknown[]) {
    const [lon, lat] = (Array.isArray(position) ? position : []) as unknown[];
    if (transform === null) {
      line.push([numberOf(lon), numberOf(lat)]);
      continue;
    }
    x += numberOf(lon);
    y += numberOf(lat);
    line.push([x * transform.scale[0] + transform.translate[0], y * transform.scale[1] + transform.translate[1]]);
  }
  // The ends of an arc are moved as those of others that it meets: the same position gives the same place.
  const placed = place === null ? line : place.ring(line);
  return Int32Array.from(placed.flatMap(([lon, lat]) => [longitudeToGrid(lon, onWide), toGrid(lat, 90)]));
}

/** The vertices of a ring of arc references, without consecutive duplicates. */
function walk(arcs: readonly Coords[], given: readonly unknown[]): Coords {
  const refs = given.map((ref) => {
    if (Number.isInteger(ref)) return ref as number;
    throw new Unusable(`${shown(ref)} is not the number of an arc`);
  });
  let total = 0;
  for (const ref of refs) total += arcs[ref < 0 ? ~ref : ref]?.length ?? 0;
  const out = new Int32Array(total);
  let n = 0;
  for (const ref of refs) {
    const arc = arcs[ref < 0 ? ~ref : ref];
    if (arc === undefined) throw new Error(`the topology has no arc ${ref}`);
    for (let i = 0; i < arc.length; i += 2) {
      const at = ref < 0 ? arc.length - 2 - i : i;
      if (n > 0 && out[n - 2] === arc[at] && out[n - 1] === arc[at + 1]) continue;
      out[n++] = arc[at]!;
      out[n++] = arc[at + 1]!;
    }
  }
  return out.slice(0, n);
}
