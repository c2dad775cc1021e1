/**
 * The arcs of many boundaries as one planar arrangement: which ends meet where, and which arcs belong to a largest
 * part.
 */
import { type ArcRef, type Coords, END_CLASSES } from '../contract.ts';
import { widestCosine } from './levels.ts';
import { hashPair, tableSize } from './nodes.ts';

/** A boundary as the arrangement needs it: its rings of signed arcs, and its admin_level (13: not administrative). */
export interface ArrangedBoundary {
  readonly refs: Int32Array;
  readonly ringEnd: Uint32Array;
  readonly polygonEnd: Uint32Array;
  readonly adminLevel: number;
}

/** Vertices are numbered as in `coords`. End 2i of arc i is its first vertex, end 2i + 1 its last. */
export interface Arrangement {
  readonly coords: Coords;
  readonly first: Uint32Array;
  readonly length: Uint32Array;
  /** Per vertex, the vertex that represents its location: itself inside an arc, one vertex for all ends at a node. */
  readonly point: Int32Array;
  /** Per vertex, its arc. */
  readonly arcOf: Int32Array;
  /** Per vertex that represents a node, that node; -1 for all others. */
  readonly nodeAt: Int32Array;
  /** Per arc end, its node. */
  readonly node: Int32Array;
  /** Per node, the vertex that represents it. */
  readonly nodeVertex: Int32Array;
  /** The arc ends at node v are `incident[incidentEnd[v - 1] … incidentEnd[v] - 1]`. */
  readonly incident: Int32Array;
  readonly incidentEnd: Int32Array;
  /** Per arc, the smallest end class of a boundary that uses it; the last class when none does. */
  readonly arcClass: Uint8Array;
  /** 4 per arc: west, south, east, north. */
  readonly box: Int32Array;
  /** Per arc, the largest cosine of a latitude along it: an upper bound of the scale of lengths in longitude. */
  readonly cosine: Float64Array;
}

/** How boundaries use arcs, as far as it affects tiers. */
export interface Roles {
  /** Per arc, the smallest end class of a boundary that uses it; the last class when none does. */
  readonly arcClass: Uint8Array;
  /** Per arc, 1 when it is in the shell of the largest part of some boundary. */
  readonly main: Uint8Array;
  /** Pairs of arcs: an arc of a shell, and an arc of a hole in that shell. */
  readonly links: number[];
}

/** The roles of arcs that no boundary uses yet. */
export function noRoles(arcs: number): Roles {
  return { arcClass: new Uint8Array(arcs).fill(END_CLASSES - 1), main: new Uint8Array(arcs), links: [] };
}

/** The end class of an admin_level (13: not administrative). */
export function classOfLevel(adminLevel: number): number {
  return Math.min(Math.max(adminLevel, 1), END_CLASSES) - 1;
}

/** Adds a boundary's use of its arcs to `roles`, in place. `largest` is the index of its largest polygon. */
export function addRoles(roles: Roles, boundary: ArrangedBoundary, largest: number): void {
  const { refs, ringEnd, polygonEnd, adminLevel } = boundary;
  const own = classOfLevel(adminLevel);
  for (const ref of refs) roles.arcClass[arcIndex(ref)] = Math.min(roles.arcClass[arcIndex(ref)], own);
  for (let polygon = 0, ring = 0; polygon < polygonEnd.length; polygon++) {
    const shell = arcIndex(refs[ring === 0 ? 0 : ringEnd[ring - 1]]);
    for (let at = ring === 0 ? 0 : ringEnd[ring - 1]; polygon === largest && at < ringEnd[ring]; at++) {
      roles.main[arcIndex(refs[at])] = 1;
    }
    for (ring++; ring < polygonEnd[polygon]; ring++) roles.links.push(shell, arcIndex(refs[ringEnd[ring - 1]]));
  }
}

/** Finds the nodes of arcs whose classes are known. Every arc has at least 2 vertices. */
export function arrange(coords: Coords, first: Uint32Array, length: Uint32Array, arcClass: Uint8Array): Arrangement {
  const arcs = first.length;
  const vertices = coords.length / 2;
  const point = new Int32Array(vertices);
  const arcOf = new Int32Array(vertices).fill(-1);
  const nodeAt = new Int32Array(vertices).fill(-1);
  const node = new Int32Array(2 * arcs);
  const cosine = new Float64Array(arcs);
  const box = new Int32Array(4 * arcs);
  for (let v = 0; v < vertices; v++) point[v] = v;

  // Open addressing by the coordinates of arc ends.
  const table = new Int32Array(tableSize(2 * arcs)).fill(-1);
  const mask = table.length - 1;
  const nodeVertex: number[] = [];
  for (let arc = 0; arc < arcs; arc++) {
    const from = first[arc];
    const to = from + length[arc] - 1;
    let [west, south, east, north] = [coords[2 * from], coords[2 * from + 1], coords[2 * from], coords[2 * from + 1]];
    for (let v = from; v <= to; v++) {
      arcOf[v] = arc;
      const x = coords[2 * v];
      const y = coords[2 * v + 1];
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
    cosine[arc] = widestCosine(south, north);
    box[4 * arc] = west;
    box[4 * arc + 1] = south;
    box[4 * arc + 2] = east;
    box[4 * arc + 3] = north;
    for (let end = 0; end < 2; end++) {
      const v = end === 0 ? from : to;
      const x = coords[2 * v];
      const y = coords[2 * v + 1];
      let slot = hashPair(x, y) & mask;
      while (table[slot] >= 0) {
        const other = nodeVertex[table[slot]];
        if (coords[2 * other] === x && coords[2 * other + 1] === y) break;
        slot = (slot + 1) & mask;
      }
      if (table[slot] < 0) {
        table[slot] = nodeVertex.length;
        nodeAt[v] = nodeVertex.length;
        nodeVertex.push(v);
      }
      node[2 * arc + end] = table[slot];
      point[v] = nodeVertex[table[slot]];
    }
  }

  const incidentEnd = new Int32Array(nodeVertex.length);
  for (let end = 0; end < 2 * arcs; end++) incidentEnd[node[end]]++;
  for (let v = 1; v < incidentEnd.length; v++) incidentEnd[v] += incidentEnd[v - 1];
  const incident = new Int32Array(2 * arcs);
  const fill = Int32Array.from(incidentEnd);
  for (let end = 2 * arcs - 1; end >= 0; end--) incident[--fill[node[end]]] = end;

  return {
    coords,
    first,
    length,
    point,
    arcOf,
    nodeAt,
    node,
    nodeVertex: Int32Array.from(nodeVertex),
    incident,
    incidentEnd,
    arcClass,
    box,
    cosine,
  };
}

/** The arc index of a signed reference. */
function arcIndex(ref: ArcRef): number {
  return ref < 0 ? ~ref : ref;
}

/**
 * Per arc, its contribution to the area of a ring on the unit sphere (radians of longitude times the sine of the
 * latitude): accurate enough to find the largest part of a boundary.
 */
export function arcAreas(coords: Coords, first: Uint32Array, length: Uint32Array): Float64Array {
  const radians = Math.PI / 180 / 1e7;
  const area = new Float64Array(first.length);
  for (let arc = 0; arc < first.length; arc++) {
    let sum = 0;
    let sine = Math.sin(coords[2 * first[arc] + 1] * radians);
    for (let v = first[arc] + 1; v < first[arc] + length[arc]; v++) {
      const next = Math.sin(coords[2 * v + 1] * radians);
      sum -= (coords[2 * v] - coords[2 * v - 2]) * radians * (sine + next);
      sine = next;
    }
    area[arc] = sum / 2;
  }
  return area;
}

/** The index of the polygon with the largest area (the first on ties), or -1 without polygons. */
export function largestPart(
  { refs, ringEnd, polygonEnd }: Omit<ArrangedBoundary, 'adminLevel'>,
  area: Float64Array,
): number {
  let best = -1;
  let most = -1;
  for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
    const fromRing = polygon === 0 ? 0 : polygonEnd[polygon - 1];
    const from = fromRing === 0 ? 0 : ringEnd[fromRing - 1];
    const to = ringEnd[polygonEnd[polygon] - 1];
    let sum = 0;
    for (let at = from; at < to; at++) sum += refs[at] < 0 ? -area[~refs[at]] : area[refs[at]];
    if (Math.abs(sum) > most) {
      most = Math.abs(sum);
      best = polygon;
    }
  }
  return best;
}
