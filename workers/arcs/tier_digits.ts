/**
 * Decides which arcs keep 7 digits at a level. Rounding moves every vertex by up to half a unit in x and in y. Imagine
 * all vertices moving there together, in straight lines: as long as no vertex ever touches a segment that it does not
 * end, the arrangement stays planar throughout, with the same order at every junction and the same orientation of every
 * ring. Where this cannot be proved for a vertex and a segment, their owners are not rounded. It must be proved for
 * every combination of the three points being rounded or not, so that marks elsewhere do not matter: the digits of an
 * arc then depend only on what remains at the level within a unit of it, and those of its ends on the arcs that meet
 * there.
 */
import { END_CLASSES, MASKS_PER_END } from '../contract.ts';
import type { Arrangement } from './arrangement.ts';
import { unitOf } from './levels.ts';
import { indexPoints, type PointIndex, pointsInBox, REMOVED } from './point_index.ts';
import type { Remainder } from './remainder.ts';
import { alwaysApart } from './rounding_apart.ts';
import { DEPENDENCY_KINDS, type Dependencies, recordAlong } from './surroundings.ts';
import { classGroups, endAt, lowestClass, type Walk, walkFrom, walkOver } from './tier_walk.ts';

/** The arcs and nodes whose digits a pass decides. */
export interface DigitTask {
  level: number;
  readonly todo: Uint8Array;
  readonly todoNodes: Uint16Array;
  readonly surroundings: Dependencies;
  /** The masks of removed ends. */
  readonly ends: Uint16Array;
  /** The vertices whose digits are decided, once wantedVertices() was called; null before. */
  wanted: PointIndex | null;
}

/** Pairs of a vertex and a segment that rounding at one level could bring together. */
interface DigitMarks {
  readonly task: DigitTask;
  readonly remainder: Remainder;
  /** Coordinates are rounded to a multiple of this. */
  readonly unit: number;
  /** Triples of vertices: vertex, segment start, segment end (each the vertex that represents its location). */
  readonly pairs: number[];
  /** The vertices that the last search found; the rest is left over from earlier ones. */
  found: Int32Array;
}

/** The most segments of an arc that one search serves. */
const RUN = 16;

/** Found vertices above which a search is divided: to test them against each segment costs more than another search. */
const MOST_FOUND = 128;

/** Per node, the bits of `todo` of all arcs that end there. */
export function nodesOf({ node, nodeVertex }: Arrangement, todo: Uint8Array | Uint16Array): Uint16Array {
  const nodes = new Uint16Array(nodeVertex.length);
  for (let end = 0; end < node.length; end++) nodes[node[end]] |= todo[end >> 1];
  return nodes;
}

/**
 * Sets the bit of the level for what must keep 7 digits: in `exact` for arcs, in `nodeExact` for nodes. Only handles
 * what is marked as todo. Restores the remainder afterward.
 */
export function digitPass(remainder: Remainder, task: DigitTask, exact: Uint16Array, nodeExact: Uint16Array): void {
  const { arrangement, index, next } = remainder;
  const { first, point, arcClass, nodeVertex, incident } = arrangement;
  const { level, ends, todo } = task;
  const marks: DigitMarks = { task, remainder, unit: unitOf(level), pairs: [], found: new Int32Array(256) };
  const run: number[] = [];
  for (let arc = 0; arc < first.length; arc++) {
    if (index.rank[point[first[arc]]] > arcClass[arc]) continue;
    for (let v = first[arc]; next[v] >= 0; ) {
      run.length = 0;
      run.push(point[v]);
      while (run.length <= RUN && next[v] >= 0) {
        v = next[v];
        run.push(point[v]);
      }
      // Of a run that keeps its digits only the pairs with other vertices are asked for.
      const among = run.some((one) => isWanted(task, arrangement, one)) ? index : wantedVertices(marks);
      nearRun(marks, among, arc, run, 0, run.length - 1);
    }
  }
  const isGone = (node: number, limit: number) => {
    for (let i = node === 0 ? 0 : arrangement.incidentEnd[node - 1]; i < arrangement.incidentEnd[node]; i++) {
      if (arcClass[incident[i] >> 1] > limit) continue;
      return (ends[incident[i] * MASKS_PER_END + limit] & (1 << level)) !== 0;
    }
    return false;
  };
  for (const { limit, to, degree } of classGroups(arrangement)) {
    const gone: number[] = [];
    for (let node = 0; node < nodeVertex.length; node++) {
      const v = nodeVertex[node];
      if (degree[node] > 0 && index.rank[v] !== REMOVED && isGone(node, limit)) gone.push(v);
    }
    for (const v of gone) index.rank[v] = REMOVED;
    nearMerged(walkOver(remainder, limit), to, gone, marks, todo);
    for (const v of gone) index.rank[v] = lowestClass(remainder, arrangement.nodeAt[v]);
  }
  markPairs(marks, exact, nodeExact);
}

/** Whether the digits of a vertex are to be decided. */
function isWanted({ todo, todoNodes }: DigitTask, { nodeAt, arcOf }: Arrangement, v: number): boolean {
  return nodeAt[v] >= 0 ? todoNodes[nodeAt[v]] > 0 : todo[arcOf[v]] === 1;
}

/** The vertices whose digits are to be decided, those removed at the level included. */
function wantedVertices({ task, remainder }: DigitMarks): PointIndex {
  const { order, coords, rank } = remainder.index;
  task.wanted ??= indexPoints(
    coords,
    order.filter((v) => isWanted(task, remainder.arrangement, v)),
    rank,
  );
  return task.wanted;
}

/** Adds the segments that replaced removed ends of a class, once each. */
function nearMerged(walk: Walk, to: number, gone: readonly number[], marks: DigitMarks, todo: Uint8Array): void {
  const { coords, point, nodeAt } = walk.arrangement;
  const seen = new Set<number>();
  for (const v of gone) {
    if (seen.has(v)) continue;
    walk.spans = [];
    walk.arcs = [];
    const end = endAt(walk, nodeAt[v], -1);
    const other = endAt(walk, nodeAt[v], end);
    if (other < 0) continue;
    const a = walkFrom(walk, end);
    const b = walkFrom(walk, other);
    for (let i = 0; i < walk.spans.length; i += 2) {
      if (walk.spans[i] === walk.spans[i + 1]) seen.add(point[walk.spans[i]]);
    }
    if (a < 0 || b < 0) continue;
    const wanted =
      isWanted(marks.task, walk.arrangement, a) ||
      isWanted(marks.task, walk.arrangement, b) ||
      walk.arcs.some((arc) => todo[arc] === 1);
    if (wanted) {
      for (const arc of new Set(walk.arcs)) {
        recordAlong(marks.task.surroundings, arc, DEPENDENCY_KINDS.merged + to, to, coords, a, b, b, marks.unit);
      }
    }
    nearSegment(marks, a, b, wanted, walk.limit);
  }
}

/**
 * Adds the pairs of each segment between the vertices `from … to` of a run of an arc and each vertex of `among` near
 * that segment. One search finds the vertices near all of these segments.
 */
function nearRun(
  marks: DigitMarks,
  among: PointIndex,
  arc: number,
  run: readonly number[],
  from: number,
  to: number,
): void {
  const { task, remainder, unit } = marks;
  const { arrangement } = remainder;
  const { coords } = among;
  let [west, south, east, north] = [2147483647, 2147483647, -2147483648, -2147483648];
  for (let i = from; i <= to; i++) {
    const x = coords[2 * run[i]];
    const y = coords[2 * run[i] + 1];
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  const count = findInBox(marks, among, west - unit, south - unit, east + unit, north + unit);
  if (count > MOST_FOUND && to - from > 1) {
    const middle = (from + to) >> 1;
    nearRun(marks, among, arc, run, from, middle);
    nearRun(marks, among, arc, run, middle, to);
    return;
  }
  if (count === 0) return;
  for (let i = from; i < to; i++) {
    const a = run[i];
    const b = run[i + 1];
    const wanted = isWanted(task, arrangement, a) || isWanted(task, arrangement, b);
    if (wanted) recordAlong(task.surroundings, arc, DEPENDENCY_KINDS.digits, END_CLASSES - 1, coords, a, b, b, unit);
    addPairs(marks, a, b, wanted, REMOVED - 1, count);
  }
}

/** Adds the pairs of a segment and each vertex of rank at most `limit` near it. */
function nearSegment(marks: DigitMarks, a: number, b: number, wanted: boolean, limit: number): void {
  const { remainder, unit } = marks;
  const { coords } = remainder.index;
  const [ax, ay, bx, by] = [coords[2 * a], coords[2 * a + 1], coords[2 * b], coords[2 * b + 1]];
  const count = findInBox(
    marks,
    wanted ? remainder.index : wantedVertices(marks),
    Math.min(ax, bx) - unit,
    Math.min(ay, by) - unit,
    Math.max(ax, bx) + unit,
    Math.max(ay, by) + unit,
  );
  addPairs(marks, a, b, wanted, limit, count);
}

/** Writes the remaining vertices of an index in a box into `found`; returns their number. */
function findInBox(
  marks: DigitMarks,
  index: PointIndex,
  west: number,
  south: number,
  east: number,
  north: number,
): number {
  const count = pointsInBox(index, west, south, east, north, marks.found);
  if (count <= marks.found.length) return count;
  marks.found = new Int32Array(2 * count);
  return pointsInBox(index, west, south, east, north, marks.found);
}

/** Adds the pairs of a segment and each of the `count` vertices found that is near it and of rank at most `limit`. */
function addPairs(marks: DigitMarks, a: number, b: number, wanted: boolean, limit: number, count: number): void {
  const { remainder, unit, pairs, found } = marks;
  const { coords, rank } = remainder.index;
  const ax = coords[2 * a];
  const ay = coords[2 * a + 1];
  const bx = coords[2 * b];
  const by = coords[2 * b + 1];
  const west = Math.min(ax, bx) - unit;
  const south = Math.min(ay, by) - unit;
  const east = Math.max(ax, bx) + unit;
  const north = Math.max(ay, by) + unit;
  // Two moving points approach each other by at most one unit per axis; this compares the distance of a point from a
  // line in the maximum norm.
  const reach = unit * (Math.abs(bx - ax) + Math.abs(by - ay));
  for (let i = 0; i < count; i++) {
    const v = found[i];
    const x = coords[2 * v];
    const y = coords[2 * v + 1];
    if (x < west || x > east || y < south || y > north || v === a || v === b) continue;
    if (rank[v] > limit || !(wanted || isWanted(marks.task, remainder.arrangement, v))) continue;
    const cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    if (Math.abs(cross) <= reach * (1 + 1e-12)) pairs.push(v, a, b);
  }
}

/** Sets the bit of the level for the owners of pairs that cannot be proved to stay apart. */
function markPairs(marks: DigitMarks, exact: Uint16Array, nodeExact: Uint16Array): void {
  const { remainder, unit, pairs, task } = marks;
  const { level, todo } = task;
  const { coords, nodeAt, arcOf } = remainder.arrangement;
  const bit = 1 << level;
  const mark = (v: number) => {
    if (nodeAt[v] >= 0) nodeExact[nodeAt[v]] |= bit;
    else if (todo[arcOf[v]] === 1) exact[arcOf[v]] |= bit;
  };
  for (let i = 0; i < pairs.length; i += 3) {
    const [v, a, b] = [pairs[i], pairs[i + 1], pairs[i + 2]];
    if (alwaysApart(coords, v, a, b, unit)) continue;
    mark(v);
    mark(a);
    mark(b);
  }
}

/** Writes the last mask of the ends at todo nodes: the levels marked there, or on an arc that ends there. */
export function settleNodes(
  { incident, incidentEnd }: Arrangement,
  todoNodes: Uint16Array,
  nodeExact: Uint16Array,
  exact: Uint16Array,
  ends: Uint16Array,
): void {
  for (let node = 0; node < todoNodes.length; node++) {
    if (todoNodes[node] === 0) continue;
    let mask = nodeExact[node];
    const from = node === 0 ? 0 : incidentEnd[node - 1];
    for (let i = from; i < incidentEnd[node]; i++) mask |= exact[incident[i] >> 1];
    for (let i = from; i < incidentEnd[node]; i++) ends[(incident[i] + 1) * MASKS_PER_END - 1] = mask;
  }
}
