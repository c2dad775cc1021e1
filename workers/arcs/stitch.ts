import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import type { ArcTable, GeometryFault, Rings } from '../contract.ts';
import { type ArcNodes, hashPair, numberNodes, sortRays, tableSize } from './nodes.ts';
import { type Loops, loopBoxes, loopSign, nest, type Stitched, troubleAt } from './stitch_nest.ts';

/**
 * Joins signed arcs, the interior on the left of each, into polygons that are valid by OGC Simple Features: shells
 * counterclockwise, holes clockwise, interiors connected, rings touching at points at most.
 *
 * Assumes that arcs meet only at their ends. At a node of more than two arc ends, an incoming arc continues with the
 * first outgoing arc clockwise from its reversed ray, the other side of the same interior sector. So one closed walk is
 * one connected part of the border of one face. Cutting it at repeated nodes gives simple loops: at most one positive
 * loop, the shell, and that shell's holes. The loops of a walk without a shell are holes of the smallest shell that
 * contains the midpoint of one of their arcs.
 *
 * The order depends only on the geometry: a ring starts at its smallest arc end (by x, then y), and polygons and holes
 * are sorted by that vertex. Nothing is repaired. GeometryFault is returned for an arc given twice, an open end, unequal
 * numbers of arcs in and out, sectors that do not alternate, overlapping arcs, a ring without area, two shells in a
 * walk, a hole without a shell, and a sample on a border.
 * @throws DOMException named AbortError when canceled
 * @example
 * stitch(table, left).rings.ringEnd.length // => 1
 */
export function stitch(table: ArcTable, refs: Int32Array, isCanceled?: IsCanceled): Stitched {
  const twice = arcGivenTwice(refs);
  if (twice >= 0) return { trouble: troubleAt(table, twice, 'the same border is used twice') };
  return stitchDistinct(table, refs, isCanceled);
}

/** Like stitch(), for callers that know that no arc is given twice; skips that check. */
export function stitchDistinct(table: ArcTable, refs: Int32Array, isCanceled?: IsCanceled): Stitched {
  if (refs.length === 0) return { rings: noRings(), boxes: new Int32Array(0) };
  const nodes = numberNodes(table, refs);
  throwIfCanceled(isCanceled);
  const loops = simpleLoops(refs, nodes) ?? cutLoops(table, refs, nodes, isCanceled);
  if ('trouble' in loops) return loops;
  throwIfCanceled(isCanceled);
  const boxes = loopBoxes(table, loops);
  const sign = new Int8Array(loops.count);
  for (let l = 0; l < loops.count; l++) {
    sign[l] = loopSign(table, loops, l, boxes[4 * l]);
    if (sign[l] === 0) return { trouble: troubleAt(table, loops.refs[loops.end[l] - 1], 'a ring without area') };
  }
  return nest(table, loops, { sign, boxes }, isCanceled);
}

/** An empty multipolygon. */
function noRings(): Rings {
  return { refs: new Int32Array(0), ringEnd: new Uint32Array(0), polygonEnd: new Uint32Array(0) };
}

/** The index of an arc that occurs more than once, in either direction, or -1. */
function arcGivenTwice(refs: Int32Array): number {
  const mask = tableSize(refs.length) - 1;
  const slots = new Int32Array(mask + 1);
  for (let k = 0; k < refs.length; k++) {
    const arc = refs[k] < 0 ? ~refs[k] : refs[k];
    let slot = hashPair(arc, 0) & mask;
    while (slots[slot] !== 0) {
      if (slots[slot] === arc + 1) return arc;
      slot = (slot + 1) & mask;
    }
    slots[slot] = arc + 1;
  }
  return -1;
}

/** The loops when exactly one walk leaves and one arrives at every node, which is nearly always; otherwise null. */
export function simpleLoops(refs: Int32Array, { from, to, count }: ArcNodes): Loops | null {
  const n = refs.length;
  if (count !== n) return null;
  /** Per node, 1 + the walk that leaves it; 0 once that walk was followed. */
  const leaving = new Int32Array(n);
  for (let k = 0; k < n; k++) {
    if (leaving[from[k]] !== 0) return null;
    leaving[from[k]] = k + 1;
  }
  const loopRefs = new Int32Array(n);
  const end = new Int32Array(n);
  const walk = new Int32Array(n);
  let loops = 0;
  for (let seed = 0, written = 0; seed < n; seed++) {
    if (leaving[from[seed]] === 0) continue;
    let k = seed;
    do {
      leaving[from[k]] = 0;
      loopRefs[written++] = refs[k];
      const next = leaving[to[k]] - 1;
      // Already followed: the loop is back at its start, or two walks arrive here.
      if (next < 0 && to[k] !== from[seed]) return null;
      k = next;
    } while (k >= 0);
    end[loops] = written;
    walk[loops] = loops;
    loops++;
  }
  return { refs: loopRefs, end, walk, count: loops };
}

/** The loops of any walks, or the trouble. */
function cutLoops(
  table: ArcTable,
  refs: Int32Array,
  nodes: ArcNodes,
  isCanceled: IsCanceled | undefined,
): Loops | { readonly trouble: GeometryFault } {
  const next = new Int32Array(refs.length);
  const trouble = linkWalks(table, refs, nodes, next);
  if (trouble) return { trouble };
  throwIfCanceled(isCanceled);
  return cutWalks(refs, nodes, next);
}

/** Fills `next[k]`, the walk that follows walk k, at every node; returns the trouble of a node, or null. */
function linkWalks(table: ArcTable, refs: Int32Array, nodes: ArcNodes, next: Int32Array): GeometryFault | null {
  const { from, to, count } = nodes;
  const n = refs.length;
  const leaving = new Int32Array(count);
  const arriving = new Int32Array(count);
  const degree = new Int32Array(count);
  const follower = new Int32Array(count);
  for (let k = 0; k < n; k++) {
    leaving[from[k]]++;
    arriving[to[k]]++;
    follower[from[k]] = k;
  }
  for (let i = 0; i < count; i++) {
    degree[i] = leaving[i] + arriving[i];
    if (leaving[i] === arriving[i]) continue;
    const reason = degree[i] === 1 ? 'open ring' : 'borders that do not close (unequal in and out)';
    return { reason, x: nodes.x[i], y: nodes.y[i] };
  }
  for (let k = 0; k < n; k++) next[k] = follower[to[k]];

  const { start, rays, overlap } = sortRays(table, refs, nodes, degree);
  if (overlap >= 0) return { reason: 'two borders lie on each other', x: nodes.x[overlap], y: nodes.y[overlap] };
  for (let i = 0; i < count; i++) {
    for (let r = start[i]; r < start[i + 1]; r++) {
      const before = rays[r === start[i] ? start[i + 1] - 1 : r - 1];
      // Counterclockwise of a leaving ray the sector is interior; of an arriving ray it is exterior.
      if ((rays[r] & 1) === (before & 1)) {
        return { reason: 'borders that cross at a point', x: nodes.x[i], y: nodes.y[i] };
      }
      if (rays[r] & 1) next[rays[r] >> 1] = before >> 1;
    }
  }
  return null;
}

/** Follows every closed walk and cuts it at repeated nodes. */
function cutWalks(refs: Int32Array, nodes: ArcNodes, next: Int32Array): Loops {
  const n = refs.length;
  const { from, to } = nodes;
  const loopRefs = new Int32Array(n);
  const end = new Int32Array(n);
  const walk = new Int32Array(n);
  const visited = new Uint8Array(n);
  const stack = new Int32Array(n);
  /** Per node, 1 + the stack position of the walk that left it. */
  const placed = new Int32Array(nodes.count);
  let count = 0;
  let written = 0;
  for (let seed = 0, walks = 0; seed < n; seed++) {
    if (visited[seed]) continue;
    let depth = 0;
    let k = seed;
    do {
      visited[k] = 1;
      stack[depth++] = k;
      placed[from[k]] = depth;
      const back = placed[to[k]] - 1;
      if (back >= 0) {
        for (let s = back; s < depth; s++) {
          placed[from[stack[s]]] = 0;
          loopRefs[written++] = refs[stack[s]];
        }
        depth = back;
        end[count] = written;
        walk[count++] = walks;
      }
      k = next[k];
    } while (k !== seed);
    walks++;
  }
  return { refs: loopRefs, end, walk, count };
}
