import geographiclib from 'geographiclib-geodesic';
import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import type { ArcTable, Coords } from '../contract.ts';
import { ExactSum } from './area.ts';
import { compareRays } from './orient.ts';
import { type Lines, NO_LINES, TaggedLines } from './tagged_lines.ts';

const { Geodesic } = geographiclib;

/** The antimeridian in 1e-7 degrees. */
const SEAM = 1_800_000_000;
/** The latitude of a pole in 1e-7 degrees. */
const POLE = 900_000_000;

/** Measurements of the arcs of a boundary. */
export interface Border {
  /**
   * The geodesic length of each arc in meters on WGS84. Edges along the antimeridian or at a pole are seams and count
   * as 0.
   */
  readonly meters: Float64Array;
  /**
   * Eight numbers per arc, in 1e-7 degrees and in stored direction: x, y of the first vertex, of the vertex after it,
   * of the last vertex, and of the vertex before that.
   */
  readonly ends: Int32Array;
  /** The part of `meters` that is on lines that the map marks as borders at sea. */
  readonly marked: Float64Array;
}

/**
 * Measures arcs (signed slots; the sign does not matter).
 * @param maritime lines that the map marks as borders at sea
 * @throws DOMException named AbortError when canceled
 */
export function measureBorder(
  table: ArcTable,
  refs: Int32Array,
  isCanceled?: IsCanceled,
  maritime: Lines = NO_LINES,
): Border {
  const { coords, first, length } = table;
  const meters = new Float64Array(refs.length);
  const ends = new Int32Array(8 * refs.length);
  const marked = new Float64Array(refs.length);
  const tagged = maritime.end.length === 0 ? null : new TaggedLines(table, maritime);
  for (let k = 0; k < refs.length; k++) {
    throwIfCanceled(isCanceled);
    const arc = refs[k] < 0 ? ~refs[k] : refs[k];
    const from = 2 * first[arc];
    const to = from + 2 * (length[arc] - 1);
    meters[k] = chainLength(coords, first[arc], length[arc]);
    const changes = tagged?.changes(arc) ?? [];
    for (let i = 0; i < changes.length; i += 2) {
      marked[k] += chainLength(coords, first[arc] + changes[i], changes[i + 1] - changes[i] + 1);
    }
    [from, from + 2, to, to - 2].forEach((at, i) => {
      ends[8 * k + 2 * i] = coords[at];
      ends[8 * k + 2 * i + 1] = coords[at + 1];
    });
  }
  return { meters, ends, marked };
}

/** The length in meters on WGS84 of the geodesic between two places (1e-7 degrees; Karney, J. Geodesy 87, 2013). */
export function geodesicMeters(x1: number, y1: number, x2: number, y2: number): number {
  return Geodesic.WGS84.Inverse(y1 / 1e7, x1 / 1e7, y2 / 1e7, x2 / 1e7, Geodesic.DISTANCE).s12 as number;
}

/** Whether the edge between two places (1e-7 degrees) is a seam: along the antimeridian, or at a pole. */
export function isSeam(x1: number, y1: number, x2: number, y2: number): boolean {
  return (Math.abs(x1) === SEAM && Math.abs(x2) === SEAM) || (Math.abs(y1) === POLE && y2 === y1);
}

/** The length in meters on WGS84 of a chain of vertices, without seams. Edges are geodesics. */
function chainLength(coords: Coords, first: number, length: number): number {
  const sum = new ExactSum();
  for (let v = 2 * first; v < 2 * (first + length - 1); v += 2) {
    const [x1, y1, x2, y2] = [coords[v], coords[v + 1], coords[v + 2], coords[v + 3]];
    if (isSeam(x1, y1, x2, y2)) continue;
    sum.add(geodesicMeters(x1, y1, x2, y2));
  }
  return sum.value;
}

/** What edgeSet() returns: the vertices at the ends of each edge, the lower one first. */
type EdgeSet = ReadonlySet<string>;

/** The edges of a boundary (signed slots), whichever way they are walked. Seams at the antimeridian are left out. */
export function edgeSet(table: ArcTable, refs: Int32Array, isCanceled?: IsCanceled): EdgeSet {
  const edges = new Set<string>();
  eachEdge(table, refs, isCanceled, (x1, y1, x2, y2) => edges.add(edgeKey(x1, y1, x2, y2)));
  return edges;
}

/**
 * The length in meters of the edges of a boundary that are in a set, on WGS84.
 * @param edges of another boundary: edgeSet()
 * @param table coordinates in 1e-7 degrees
 * @param refs the arcs of the boundary, as signed slots
 * @param isCanceled asked now and then; ends the work when it returns true
 */
export function lengthOfEdgesIn(edges: EdgeSet, table: ArcTable, refs: Int32Array, isCanceled?: IsCanceled): number {
  const sum = new ExactSum();
  eachEdge(table, refs, isCanceled, (x1, y1, x2, y2) => {
    if (!edges.has(edgeKey(x1, y1, x2, y2))) return;
    sum.add(geodesicMeters(x1, y1, x2, y2));
  });
  return sum.value;
}

function eachEdge(
  { coords, first, length }: ArcTable,
  refs: Int32Array,
  isCanceled: IsCanceled | undefined,
  take: (x1: number, y1: number, x2: number, y2: number) => void,
): void {
  for (const ref of refs) {
    throwIfCanceled(isCanceled);
    const arc = ref < 0 ? ~ref : ref;
    for (let v = 2 * first[arc]; v < 2 * (first[arc] + length[arc] - 1); v += 2) {
      const [x1, y1, x2, y2] = [coords[v], coords[v + 1], coords[v + 2], coords[v + 3]];
      if (!isSeam(x1, y1, x2, y2)) take(x1, y1, x2, y2);
    }
  }
}

const edgeKey = (x1: number, y1: number, x2: number, y2: number): string =>
  x1 < x2 || (x1 === x2 && y1 < y2) ? `${x1} ${y1} ${x2} ${y2}` : `${x2} ${y2} ${x1} ${y1}`;

/** A border at one of its vertices: the direction in which it leaves or arrives, as a vector from the vertex. */
export interface Ray {
  readonly dx: number;
  readonly dy: number;
  /**
   * True when the ring leaves the vertex along the ray, so that its interior is counterclockwise of it; otherwise
   * clockwise.
   */
  readonly leaves: boolean;
}

/**
 * Whether two areas that meet at a vertex only touch there: no direction from the vertex leads into both. Each area is
 * given by the rays of its rings there, in any order. False when two rays have the same direction, because the areas
 * then share more than the vertex.
 */
export function touchesAt(a: readonly Ray[], b: readonly Ray[]): boolean {
  const rays = [...a.map((ray) => ({ ...ray, of: 0 })), ...b.map((ray) => ({ ...ray, of: 1 }))];
  rays.sort((u, v) => compareRays(u.dx, u.dy, v.dx, v.dy));
  // Before the first ray, an area is inside if its last counterclockwise ray leaves.
  const inside = [a, b].map((_, of) => rays.findLast((ray) => ray.of === of)?.leaves ?? false);
  for (let i = 0; i < rays.length; i++) {
    const next = rays[(i + 1) % rays.length];
    if (rays.length > 1 && compareRays(rays[i].dx, rays[i].dy, next.dx, next.dy) === 0) return false;
    inside[rays[i].of] = rays[i].leaves;
    if (inside[0] && inside[1]) return false;
  }
  return true;
}
