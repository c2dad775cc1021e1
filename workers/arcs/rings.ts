import type { ArcTable, GeometryFault, Rings } from '../contract.ts';
import { crossingsEast } from './locate.ts';
import { type ArcNodes, numberNodes, sortRays } from './nodes.ts';
import { LatitudeIndex } from './rows.ts';
import { stitch } from './stitch.ts';
import { troubleAt } from './stitch_nest.ts';

/** Rings assembled from arcs, or why that failed. */
export type Assembled = { readonly rings: Rings } | { readonly trouble: GeometryFault };

/**
 * Assembles polygons from the arcs of a relation's member ways (or of a file's rings), as libosmium does. Equal arcs
 * cancel in pairs, which joins touching inner rings and adjacent outer rings. The interior follows from even-odd
 * nesting, so the roles of members do not matter.
 *
 * `arcs` are arc indexes, one for each time that a way walks the arc; direction is irrelevant. An end where no other
 * border continues is an "open ring" with its place: a ring that does not close is not repaired. Assumes that arcs meet
 * only at their ends. The caller checks for conflicts first, but much of what a conflict breaks (overlapping rays, sides that
 * disagree) is detected here too.
 * @example
 * assembleRings(table, Int32Array.from(left, arcOf)).rings.ringEnd.length // => 1
 */
export function assembleRings(table: ArcTable, arcs: Int32Array): Assembled {
  const once = oddArcs(arcs);
  if (once.length === 0) {
    if (arcs.length === 0) return { trouble: { reason: 'no member ways', x: 0, y: 0 } };
    return { trouble: troubleAt(table, arcs[0], 'no ring is left: every way is used twice') };
  }
  const nodes = numberNodes(table, once);
  const degree = new Int32Array(nodes.count);
  for (let k = 0; k < once.length; k++) {
    degree[nodes.from[k]]++;
    degree[nodes.to[k]]++;
  }
  for (let i = 0; i < nodes.count; i++) {
    if (degree[i] & 1) return { trouble: { reason: 'open ring', x: nodes.x[i], y: nodes.y[i] } };
  }
  const directed = directByParity(table, once, nodes, degree);
  if ('trouble' in directed) return directed;
  const stitched = stitch(table, directed.refs);
  return stitched;
}

/** The arcs that occur an odd number of times, ascending. */
function oddArcs(arcs: Int32Array): Int32Array {
  const sorted = Int32Array.from(arcs, (arc) => (arc < 0 ? ~arc : arc)).sort();
  let kept = 0;
  for (let k = 0; k < sorted.length; ) {
    let run = k;
    while (run < sorted.length && sorted[run] === sorted[k]) run++;
    if ((run - k) & 1) sorted[kept++] = sorted[k];
    k = run;
  }
  return sorted.slice(0, kept);
}

/**
 * Directs every arc so that the interior is on its left. One arc of each connected component is decided by counting
 * crossings; from there, the sectors around every node alternate between interior and exterior.
 */
function directByParity(
  table: ArcTable,
  arcs: Int32Array,
  nodes: ArcNodes,
  degree: Int32Array,
): { readonly refs: Int32Array } | { readonly trouble: GeometryFault } {
  const n = arcs.length;
  const { start, rays, overlap } = sortRays(table, arcs, nodes, degree);
  if (overlap >= 0) return trouble('two ways lie on each other', nodes.x[overlap], nodes.y[overlap]);

  // The two arc ends at a node of degree 2. Ray 2k is where arc k starts, ray 2k + 1 where it ends.
  const pair = new Int32Array(2 * nodes.count).fill(-1);
  for (let ray = 0; ray < 2 * n; ray++) {
    const node = ray & 1 ? nodes.to[ray >> 1] : nodes.from[ray >> 1];
    if (degree[node] === 2) pair[pair[2 * node] < 0 ? 2 * node : 2 * node + 1] = ray;
  }

  /** 0 unknown; 1 the interior is on the left of the arc walked forward; -1 on its right. */
  const interior = new Int8Array(n);
  const queue = new Int32Array(n);
  const every = Int32Array.from({ length: n }, (_, k) => k);
  /** Most boundaries have a single component, so the index is built only for the second. */
  let rows: LatitudeIndex | null = null;
  for (let seed = 0; seed < n; seed++) {
    if (interior[seed] !== 0) continue;
    if (seed > 0) rows ??= new LatitudeIndex(table.box, arcs);
    const side = sideOfInterior(table, arcs, seed, rows, every);
    if (side === 0) return { trouble: troubleAt(table, arcs[seed], 'two ways lie on each other') };
    interior[seed] = side;
    let tail = 0;
    queue[tail++] = seed;
    for (let head = 0; head < tail; head++) {
      const k = queue[head];
      for (let ray = 2 * k; ray <= 2 * k + 1; ray++) {
        const node = ray & 1 ? nodes.to[k] : nodes.from[k];
        const plain = degree[node] === 2;
        const begin = plain ? 2 * node : start[node];
        const end = plain ? begin + 2 : start[node + 1];
        const around = plain ? pair : rays;
        let own = begin;
        while (around[own] !== ray) own++;
        // Seen from the node, an arriving ray has its arc's left side on its right.
        const opensOwn = ray & 1 ? -interior[k] : interior[k];
        for (let r = begin; r < end; r++) {
          const opens = (r - own) & 1 ? -opensOwn : opensOwn;
          const wanted = around[r] & 1 ? -opens : opens;
          const other = around[r] >> 1;
          if (interior[other] === 0) {
            interior[other] = wanted;
            queue[tail++] = other;
          } else if (interior[other] !== wanted) {
            return trouble('ways that cross', nodes.x[node], nodes.y[node]);
          }
        }
      }
    }
  }
  return { refs: arcs.map((arc, k) => (interior[k] > 0 ? arc : ~arc)) };
}

function trouble(reason: string, x: number, y: number): { readonly trouble: GeometryFault } {
  return { trouble: { reason, x, y } };
}

/**
 * The side of an arc with the even-odd interior: 1 left, -1 right, 0 when another arc passes through the sample point.
 * A ray goes east from the midpoint of the arc's middle segment and skips that segment, so the count is that of the
 * segment's east side, or of its north side when it is horizontal.
 */
function sideOfInterior(
  table: ArcTable,
  arcs: Int32Array,
  seed: number,
  rows: LatitudeIndex | null,
  every: Int32Array,
): -1 | 0 | 1 {
  const { box, coords, first, length } = table;
  const own = arcs[seed];
  const segment = 2 * (first[own] + ((length[own] - 2) >> 1));
  const dx = coords[segment + 2] - coords[segment];
  const dy = coords[segment + 3] - coords[segment + 1];
  const x = (coords[segment] + coords[segment + 2]) / 2;
  const y = (coords[segment + 1] + coords[segment + 3]) / 2;
  let crossings = 0;
  const candidates = rows === null ? every : rows.at(y);
  for (let c = 0; c < candidates.length; c++) {
    const k = candidates[c];
    const arc = arcs[k];
    const b = 4 * arc;
    if (box[b + 2] < x || box[b + 1] > y || box[b + 3] < y) continue;
    const start = 2 * first[arc];
    const end = start + 2 * (length[arc] - 1);
    if (k === seed) {
      const before = crossingsEast(coords, start, segment, x, y);
      const after = crossingsEast(coords, segment + 2, end, x, y);
      if (before < 0 || after < 0) return 0;
      crossings += before + after;
    } else if (box[b] > x) {
      if (coords[start + 1] > y !== coords[end + 1] > y) crossings++;
    } else {
      const more = crossingsEast(coords, start, end, x, y);
      if (more < 0) return 0;
      crossings += more;
    }
  }
  const odd = (crossings & 1) === 1;
  // East of a segment that goes up is its right side; north of one that goes east is its left side.
  const countedIsLeft = dy === 0 ? dx > 0 : dy < 0;
  return odd === countedIsLeft ? 1 : -1;
}
