import { type IsCancelled, throwIfCancelled } from '../cancel.ts';
import type { ArcTable, Rings, Trouble } from '../contract.ts';
import { locate } from './locate.ts';
import { type ArcNodes, hashPair, numberNodes, sortRays, tableSize } from './nodes.ts';
import { orient } from './orient.ts';
import { LatitudeIndex } from './rows.ts';

/** Polygons as rings of arcs, or the reason and place for which the request needs the next strategy. */
export type Stitched = { readonly rings: Rings } | { readonly trouble: Trouble };

/** Simple closed loops of walked arcs. Loop l is `refs[end[l - 1] … end[l] - 1]`. */
interface Loops {
  readonly refs: Int32Array;
  readonly end: Int32Array;
  /** Per loop, the closed walk that it was cut from. */
  readonly walk: Int32Array;
  readonly count: number;
}

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
 * are sorted by that vertex. Nothing is repaired. Trouble is returned for an arc given twice, an open end, unequal
 * numbers of arcs in and out, sectors that do not alternate, overlapping arcs, a ring without area, two shells in a
 * walk, a hole without a shell, and a sample on a border.
 * @throws DOMException named AbortError when canceled
 */
export function stitch(table: ArcTable, refs: Int32Array, isCancelled?: IsCancelled): Stitched {
  const twice = arcGivenTwice(refs);
  if (twice >= 0) return { trouble: troubleAt(table, twice, 'the same border is used twice') };
  return stitchDistinct(table, refs, isCancelled);
}

/** Like stitch(), for callers that know that no arc is given twice; skips that check. */
export function stitchDistinct(table: ArcTable, refs: Int32Array, isCancelled?: IsCancelled): Stitched {
  if (refs.length === 0) return { rings: noRings() };
  const nodes = numberNodes(table, refs);
  throwIfCancelled(isCancelled);
  const loops = simpleLoops(refs, nodes) ?? cutLoops(table, refs, nodes, isCancelled);
  if ('trouble' in loops) return loops;
  throwIfCancelled(isCancelled);
  const sign = new Int8Array(loops.count);
  for (let l = 0; l < loops.count; l++) {
    sign[l] = loopSign(table, loops.refs, loops.end[l - 1] ?? 0, loops.end[l]);
    if (sign[l] === 0) return { trouble: troubleAt(table, loops.refs[loops.end[l] - 1], 'a ring without area') };
  }
  return nest(table, loops, sign, isCancelled);
}

/** An empty multipolygon. */
export function noRings(): Rings {
  return { refs: new Int32Array(0), ringEnd: new Uint32Array(0), polygonEnd: new Uint32Array(0) };
}

/** A trouble located at the first vertex of an arc. */
export function troubleAt(table: ArcTable, ref: number, reason: string): Trouble {
  const at = 2 * table.first[ref < 0 ? ~ref : ref];
  return { reason, x: table.coords[at], y: table.coords[at + 1] };
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
function simpleLoops(refs: Int32Array, { from, to, count }: ArcNodes): Loops | null {
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
  isCancelled: IsCancelled | undefined,
): Loops | { readonly trouble: Trouble } {
  const next = new Int32Array(refs.length);
  const trouble = linkWalks(table, refs, nodes, next);
  if (trouble) return { trouble };
  throwIfCancelled(isCancelled);
  return cutWalks(refs, nodes, next);
}

/** Fills `next[k]`, the walk that follows walk k, at every node; returns the trouble of a node, or null. */
function linkWalks(table: ArcTable, refs: Int32Array, nodes: ArcNodes, next: Int32Array): Trouble | null {
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

/**
 * The direction of a simple closed loop, `refs[start … end - 1]`: 1 counterclockwise, -1 clockwise, 0 when it folds
 * back on itself. Exact: the smallest vertex (by x, then y) is convex, so the turn there decides. Arc boxes narrow the
 * search for it.
 */
function loopSign(table: ArcTable, refs: Int32Array, start: number, end: number): -1 | 0 | 1 {
  const { box, coords, first, length } = table;
  let west = box[4 * (refs[start] < 0 ? ~refs[start] : refs[start])];
  for (let k = start + 1; k < end; k++) west = Math.min(west, box[4 * (refs[k] < 0 ? ~refs[k] : refs[k])]);

  let lowest = Number.POSITIVE_INFINITY;
  let place = start;
  let vertex = 0;
  for (let k = start; k < end; k++) {
    const ref = refs[k];
    const arc = ref < 0 ? ~ref : ref;
    if (box[4 * arc] !== west) continue;
    const v = first[arc];
    const last = v + length[arc] - 1;
    // Visits every vertex of the loop once: an arc's last vertex in walking order belongs to the next arc.
    const from = ref < 0 ? v + 1 : v;
    const to = ref < 0 ? last : last - 1;
    for (let i = from; i <= to; i++) {
      if (coords[2 * i] === west && coords[2 * i + 1] < lowest) {
        lowest = coords[2 * i + 1];
        place = k;
        vertex = i;
      }
    }
  }
  const ref = refs[place];
  const arc = ref < 0 ? ~ref : ref;
  const after = ref < 0 ? vertex - 1 : vertex + 1;
  let before = ref < 0 ? vertex + 1 : vertex - 1;
  if (vertex === (ref < 0 ? first[arc] + length[arc] - 1 : first[arc])) {
    const previous = refs[place === start ? end - 1 : place - 1];
    const other = previous < 0 ? ~previous : previous;
    before = previous < 0 ? first[other] + 1 : first[other] + length[other] - 2;
  }
  return orient(coords[2 * before], coords[2 * before + 1], west, lowest, coords[2 * after], coords[2 * after + 1]);
}

/** Assigns every hole to its shell and writes the loops in a fixed order. */
function nest(table: ArcTable, loops: Loops, sign: Int8Array, isCancelled: IsCancelled | undefined): Stitched {
  const { count, end, walk, refs } = loops;
  const shellOfWalk = new Int32Array(count === 0 ? 0 : walk[count - 1] + 1).fill(-1);
  const shells: number[] = [];
  for (let l = 0; l < count; l++) {
    if (sign[l] < 0) continue;
    if (shellOfWalk[walk[l]] >= 0) return { trouble: troubleAt(table, refs[end[l] - 1], 'two outlines in one walk') };
    shellOfWalk[walk[l]] = l;
    shells.push(l);
  }

  const holes: number[][] = new Array(count);
  for (const shell of shells) holes[shell] = [];
  const boxes = shells.length < count ? loopBoxes(table, loops, shells) : null;
  const rows =
    boxes &&
    new LatitudeIndex(
      boxes,
      Int32Array.from(shells, (_, s) => s),
    );
  for (let l = 0; l < count; l++) {
    if (sign[l] > 0) continue;
    if (shellOfWalk[walk[l]] < 0 && boxes && rows) {
      throwIfCancelled(isCancelled);
      const found = smallestShell(table, loops, shells, { boxes, rows }, refs[end[l] - 1]);
      if (typeof found !== 'number') return { trouble: found };
      shellOfWalk[walk[l]] = found;
    }
    holes[shellOfWalk[walk[l]]].push(l);
  }

  const startAt = loopStarts(table, loops);
  const byStart = (a: number, b: number) => compareStarts(table, refs[startAt[a]], refs[startAt[b]]);
  shells.sort(byStart);
  const out = new Int32Array(refs.length);
  const ringEnd = new Uint32Array(count);
  const polygonEnd = new Uint32Array(shells.length);
  let ring = 0;
  let written = 0;
  const write = (l: number) => {
    const begin = end[l - 1] ?? 0;
    const size = end[l] - begin;
    const turn = startAt[l] - begin;
    for (let k = 0; k < size; k++) out[written++] = refs[begin + ((turn + k) % size)];
    ringEnd[ring++] = written;
  };
  for (let p = 0; p < shells.length; p++) {
    write(shells[p]);
    for (const hole of holes[shells[p]].sort(byStart)) write(hole);
    polygonEnd[p] = ring;
  }
  return { rings: { refs: out, ringEnd, polygonEnd } };
}

/** The box of each shell, in the order of `shells`: west, south, east, north. */
function loopBoxes(table: ArcTable, loops: Loops, shells: readonly number[]): Int32Array {
  const boxes = new Int32Array(4 * shells.length);
  for (let s = 0; s < shells.length; s++) {
    let [west, south, east, north] = [2 ** 31 - 1, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31)];
    for (let k = loops.end[shells[s] - 1] ?? 0; k < loops.end[shells[s]]; k++) {
      const b = 4 * (loops.refs[k] < 0 ? ~loops.refs[k] : loops.refs[k]);
      west = Math.min(west, table.box[b]);
      south = Math.min(south, table.box[b + 1]);
      east = Math.max(east, table.box[b + 2]);
      north = Math.max(north, table.box[b + 3]);
    }
    boxes.set([west, south, east, north], 4 * s);
  }
  return boxes;
}

/** The innermost shell that contains the midpoint of an arc of a hole, or the trouble. */
function smallestShell(
  table: ArcTable,
  loops: Loops,
  shells: readonly number[],
  { boxes, rows }: { boxes: Int32Array; rows: LatitudeIndex },
  ref: number,
): number | Trouble {
  const [x, y] = arcSample(table, ref < 0 ? ~ref : ref);
  let found = -1;
  let extent = Number.POSITIVE_INFINITY;
  for (const s of rows.at(y)) {
    const b = 4 * s;
    if (x < boxes[b] || y < boxes[b + 1] || x > boxes[b + 2] || y > boxes[b + 3]) continue;
    // Shells that contain the same point are nested, and the inner one has the strictly smaller box.
    const size = boxes[b + 2] - boxes[b] + boxes[b + 3] - boxes[b + 1];
    if (size >= extent) continue;
    const where = locate(table, loops.refs.subarray(loops.end[shells[s] - 1] ?? 0, loops.end[shells[s]]), x, y);
    if (where === 0) return { reason: 'two borders lie on each other', x: Math.floor(x), y: Math.floor(y) };
    if (where < 0) continue;
    found = shells[s];
    extent = size;
  }
  return found >= 0 ? found : { reason: 'a hole outside every outline', x: Math.floor(x), y: Math.floor(y) };
}

/** The midpoint of an arc's middle segment, in multiples of 1/2 of 1e-7 degrees; never an arc end. */
export function arcSample(table: ArcTable, arc: number): [number, number] {
  const { coords, first, length } = table;
  const at = 2 * (first[arc] + ((length[arc] - 2) >> 1));
  return [(coords[at] + coords[at + 2]) / 2, (coords[at + 1] + coords[at + 3]) / 2];
}

/** Per loop, the index into its refs of the walked arc that starts at the loop's smallest arc end. */
function loopStarts(table: ArcTable, loops: Loops): Int32Array {
  const startAt = new Int32Array(loops.count);
  for (let l = 0; l < loops.count; l++) {
    let best = loops.end[l - 1] ?? 0;
    for (let k = best + 1; k < loops.end[l]; k++) {
      if (compareStarts(table, loops.refs[k], loops.refs[best]) < 0) best = k;
    }
    startAt[l] = best;
  }
  return startAt;
}

/** Orders walked arcs by their first vertex, then by their second, because loops may touch in their first. */
function compareStarts(table: ArcTable, a: number, b: number): number {
  const { coords, first, length } = table;
  const i = 2 * (a < 0 ? first[~a] + length[~a] - 1 : first[a]);
  const j = 2 * (b < 0 ? first[~b] + length[~b] - 1 : first[b]);
  if (coords[i] !== coords[j]) return coords[i] - coords[j];
  if (coords[i + 1] !== coords[j + 1]) return coords[i + 1] - coords[j + 1];
  const u = a < 0 ? i - 2 : i + 2;
  const v = b < 0 ? j - 2 : j + 2;
  return coords[u] - coords[v] || coords[u + 1] - coords[v + 1];
}
