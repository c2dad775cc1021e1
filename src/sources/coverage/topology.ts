import type { Coords } from '../../../workers/contract.ts';
import { DEEPEST, finishRing, type Shape, toGrid, Unusable } from './geometry.ts';

/** A geometry object of a topology, as far as it is read here. */
export interface TopologyGeometry {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly properties?: unknown;
  readonly arcs?: unknown;
  readonly geometries?: unknown;
}

/** A TopoJSON file whose arcs are decoded: a shared arc has the same integer vertices on both sides. */
export interface Topology {
  /** Names of its objects. */
  readonly names: readonly string[];
  /** The geometries of an object: the members of a collection, or the object itself. */
  geometriesOf(name: string): readonly TopologyGeometry[];
  /** Rings in 1e-7 degrees, as `ringsOf` and `shapeOf` give them. */
  ringsOf(geometry: TopologyGeometry): Coords[];
  shapeOf(geometry: TopologyGeometry): Shape;
}

/** Whether a JSON object says that it is a topology. */
export function isTopology(value: Readonly<Record<string, unknown>>): boolean {
  return value.type === 'Topology';
}

/**
 * Decodes a TopoJSON object (TopoJSON format specification, sections 2.1.3 and 2.1.4: quantised positions are
 * differences, arcs are shared, a negative reference ~i walks arc i backward).
 * @throws Error when it is malformed, or its coordinates are not degrees
 */
export function readTopology(value: Readonly<Record<string, unknown>>): Topology {
  const { arcs, transform, objects } = value as {
    arcs?: unknown;
    transform?: { scale: [number, number]; translate: [number, number] };
    objects?: Readonly<Record<string, TopologyGeometry>>;
  };
  if (!Array.isArray(arcs) || objects === undefined || objects === null)
    throw new Error('a topology without arcs or objects');
  const decoded = arcs.map((arc) => decodeArc(arc, transform));
  const shapeOf = (geometry: TopologyGeometry): Shape => {
    const shape: Shape = { rings: [], polygonEnd: [] };
    for (const polygon of polygonsOf(geometry, 0)) {
      for (const ring of polygon) shape.rings.push(...finishRing(walk(decoded, ring)));
      shape.polygonEnd.push(shape.rings.length);
    }
    if (shape.rings.length === 0) throw new Unusable('an empty geometry');
    return shape;
  };
  return {
    names: Object.keys(objects),
    geometriesOf(name) {
      const object = Object.hasOwn(objects, name) ? objects[name] : undefined;
      if (object === undefined) throw new Error(`no object "${name}" in the topology`);
      return object.type === 'GeometryCollection' ? (object.geometries as TopologyGeometry[]) : [object];
    },
    shapeOf,
    ringsOf: (geometry) => shapeOf(geometry).rings,
  };
}

type RefsOfPolygon = readonly (readonly number[])[];

function polygonsOf({ type, arcs, geometries }: TopologyGeometry, depth: number): readonly RefsOfPolygon[] {
  if (type === null || type === undefined) throw new Unusable('no geometry');
  if (type === 'GeometryCollection' && Array.isArray(geometries) && depth < DEEPEST) {
    return (geometries as TopologyGeometry[]).flatMap((one) => polygonsOf(one, depth + 1));
  }
  if (type !== 'Polygon' && type !== 'MultiPolygon') throw new Unusable(`a ${String(type)} is not an area`);
  return (type === 'Polygon' ? [arcs] : arcs) as readonly RefsOfPolygon[];
}

function decodeArc(
  arc: unknown,
  transform: { scale: readonly [number, number]; translate: readonly [number, number] } | undefined,
): Coords {
  if (!Array.isArray(arc)) throw new Error('an arc of the topology is not a list of positions');
  const out = new Int32Array(2 * arc.length);
  let x = 0;
  let y = 0;
  for (const [i, position] of (arc as [number, number][]).entries()) {
    x = transform === undefined ? position[0] : x + position[0];
    y = transform === undefined ? position[1] : y + position[1];
    const lon = transform === undefined ? x : x * transform.scale[0] + transform.translate[0];
    const lat = transform === undefined ? y : y * transform.scale[1] + transform.translate[1];
    out[2 * i] = toGrid(lon, 180);
    out[2 * i + 1] = toGrid(lat, 90);
  }
  return out;
}

/** The vertices of a ring of arc references, consecutive equal ones once. */
function walk(arcs: readonly Coords[], refs: readonly number[]): Coords {
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
