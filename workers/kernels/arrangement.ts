/** The arcs of many boundaries as one planar arrangement: which ends meet where, who uses what, and what is an island. */
import { ALWAYS, type ArcRef, type Coords, END_CLASSES, LEVELS } from '../contract.ts';
import { extentMetres, toleranceMetres, widestCosine } from './levels.ts';
import { hashPair, tableSize } from './nodes.ts';

/** A boundary as the arrangement needs it: its rings of signed arcs, and its admin_level (13: not administrative). */
export interface ArrangedBoundary {
  readonly refs: Int32Array;
  readonly ringEnd: Uint32Array;
  readonly polygonEnd: Uint32Array;
  readonly adminLevel: number;
}

/** Vertices are numbered as in `coords`. The end 2i of arc i is its first vertex, the end 2i + 1 its last. */
export interface Arrangement {
  readonly coords: Coords;
  readonly first: Uint32Array;
  readonly length: Uint32Array;
  /** Per vertex, the vertex that stands for its place: itself inside an arc, the same one for all ends at a node. */
  readonly point: Int32Array;
  /** Per vertex, its arc. */
  readonly arcOf: Int32Array;
  /** Per vertex that stands for a node, its node; -1 for all others. */
  readonly nodeAt: Int32Array;
  /** Per arc end, its node. */
  readonly node: Int32Array;
  /** Per node, the vertex that stands for it. */
  readonly nodeVertex: Int32Array;
  /** The arc ends at node v are `incident[incidentEnd[v - 1] … incidentEnd[v] - 1]`. */
  readonly incident: Int32Array;
  readonly incidentEnd: Int32Array;
  /** Per arc, the smallest end class of a boundary that uses it; the last class when none does. */
  readonly arcClass: Uint8Array;
  /** Per arc, the largest factor that a length along a parallel has where it runs. */
  readonly cosine: Float64Array;
}

/** Finds the nodes of the arcs and the class of each arc. Arcs have at least 2 vertices. */
export function arrange(
  coords: Coords,
  first: Uint32Array,
  length: Uint32Array,
  boundaries: readonly ArrangedBoundary[],
): Arrangement {
  const arcs = first.length;
  const vertices = coords.length / 2;
  const point = new Int32Array(vertices);
  const arcOf = new Int32Array(vertices).fill(-1);
  const nodeAt = new Int32Array(vertices).fill(-1);
  const node = new Int32Array(2 * arcs);
  const cosine = new Float64Array(arcs);
  for (let v = 0; v < vertices; v++) point[v] = v;

  // Open addressing over the places of arc ends.
  const table = new Int32Array(tableSize(2 * arcs)).fill(-1);
  const mask = table.length - 1;
  const nodeVertex: number[] = [];
  for (let arc = 0; arc < arcs; arc++) {
    const from = first[arc];
    const to = from + length[arc] - 1;
    let [south, north] = [coords[2 * from + 1], coords[2 * from + 1]];
    for (let v = from; v <= to; v++) {
      arcOf[v] = arc;
      const y = coords[2 * v + 1];
      if (y < south) south = y;
      if (y > north) north = y;
    }
    cosine[arc] = widestCosine(south, north);
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

  const arcClass = new Uint8Array(arcs).fill(END_CLASSES - 1);
  for (const { refs, adminLevel } of boundaries) {
    const own = Math.min(Math.max(adminLevel, 1), END_CLASSES) - 1;
    for (const ref of refs) arcClass[arcIndex(ref)] = Math.min(arcClass[arcIndex(ref)], own);
  }
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
    cosine,
  };
}

/** The arc of a signed reference. */
export function arcIndex(ref: ArcRef): number {
  return ref < 0 ? ~ref : ref;
}

/**
 * Per arc, the level at which it is gone with its whole connected component of the arrangement: the first whose
 * tolerance exceeds the component's extent on the ground, and ALWAYS where a boundary has its largest part there, or
 * in a hole of a part that is there (else that boundary would come to lie on its surroundings).
 */
export function islandLevels(arrangement: Arrangement, boundaries: readonly ArrangedBoundary[]): Uint8Array {
  const { coords, first, length, node, nodeVertex } = arrangement;
  const arcs = first.length;
  const root = Int32Array.from(nodeVertex.keys());
  const find = (v: number): number => {
    let at = v;
    while (root[at] !== at) {
      root[at] = root[root[at]];
      at = root[at];
    }
    return at;
  };
  for (let arc = 0; arc < arcs; arc++) root[find(node[2 * arc])] = find(node[2 * arc + 1]);

  // West, south, east, north per component.
  const box = new Int32Array(4 * root.length);
  const seen = new Uint8Array(root.length);
  for (let arc = 0; arc < arcs; arc++) {
    const component = find(node[2 * arc]);
    const at = 4 * component;
    if (seen[component] === 0) {
      seen[component] = 1;
      box[at] = box[at + 1] = 2147483647;
      box[at + 2] = box[at + 3] = -2147483648;
    }
    for (let v = first[arc]; v < first[arc] + length[arc]; v++) {
      const x = coords[2 * v];
      const y = coords[2 * v + 1];
      if (x < box[at]) box[at] = x;
      if (y < box[at + 1]) box[at + 1] = y;
      if (x > box[at + 2]) box[at + 2] = x;
      if (y > box[at + 3]) box[at + 3] = y;
    }
  }
  const level = new Uint8Array(root.length);
  for (let component = 0; component < root.length; component++) {
    if (seen[component] === 0) continue;
    const [west, south, east, north] = box.subarray(4 * component, 4 * component + 4);
    const { w, h } = extentMetres([west, south, east, north]);
    let gone = 0;
    while (gone < LEVELS && Math.max(w, h) >= toleranceMetres(gone)) gone++;
    level[component] = gone < LEVELS ? gone : ALWAYS;
  }
  const area = arcAreas(arrangement);
  for (const boundary of boundaries) {
    const ref = shellOfLargestPart(boundary, area);
    if (ref !== null) level[find(node[2 * arcIndex(ref)])] = ALWAYS;
  }
  // A shell stays as long as a hole in it does: who has the hole may be an island's only part.
  const shellOutlives = ({ refs, ringEnd, polygonEnd }: ArrangedBoundary): boolean => {
    let raised = false;
    for (let polygon = 0, ring = 0; polygon < polygonEnd.length; polygon++) {
      const shell = find(node[2 * arcIndex(refs[ring === 0 ? 0 : ringEnd[ring - 1]])]);
      for (; ring < polygonEnd[polygon]; ring++) {
        const own = level[find(node[2 * arcIndex(refs[ring === 0 ? 0 : ringEnd[ring - 1]])])];
        if (own <= level[shell]) continue;
        level[shell] = own;
        raised = true;
      }
    }
    return raised;
  };
  while (boundaries.filter(shellOutlives).length > 0);
  const result = new Uint8Array(arcs);
  for (let arc = 0; arc < arcs; arc++) result[arc] = level[find(node[2 * arc])];
  return result;
}

/**
 * Per arc, its share of the area of a ring on the sphere (radians of longitude times the sine of the latitude), which
 * is enough to tell which part of a boundary is its largest.
 */
function arcAreas(arrangement: Arrangement): Float64Array {
  const { coords, first, length } = arrangement;
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

/** A signed arc of the shell of the polygon with the largest area (the first of equals), or null without polygons. */
function shellOfLargestPart(boundary: ArrangedBoundary, area: Float64Array): ArcRef | null {
  const { refs, ringEnd, polygonEnd } = boundary;
  let best: ArcRef | null = null;
  let most = -1;
  for (let polygon = 0; polygon < polygonEnd.length; polygon++) {
    const fromRing = polygon === 0 ? 0 : polygonEnd[polygon - 1];
    const from = fromRing === 0 ? 0 : ringEnd[fromRing - 1];
    const to = ringEnd[polygonEnd[polygon] - 1];
    let sum = 0;
    for (let at = from; at < to; at++) sum += refs[at] < 0 ? -area[~refs[at]] : area[refs[at]];
    if (Math.abs(sum) > most) {
      most = Math.abs(sum);
      best = refs[from];
    }
  }
  return best;
}
