import type { ArcTable } from '../contract.ts';
import { orient } from './orient.ts';

/**
 * How two arcs conflict: they cross; a vertex of one is on the other, away from a common end; or they overlap along a
 * stretch (including a spike within one arc).
 */
export type ConflictKind = 'cross' | 'touch' | 'overlap';

/** A pair of arcs (a <= b; equal for a conflict within one arc) and one place where they meet, in 1e-7 degrees. */
export interface Conflict {
  readonly a: number;
  readonly b: number;
  readonly kind: ConflictKind;
  readonly x: number;
  readonly y: number;
}

/** Segments per run. Runs are the pieces of arcs that are indexed and compared. */
const RUN = 12;
/** Children per node of the box tree. */
const FAN = 16;

/** Kinds by severity. For a pair that meets several times the most severe kind is reported, then the smallest place. */
export const SEVERITY: readonly ConflictKind[] = ['overlap', 'cross', 'touch'];
export const CROSSES = SEVERITY.indexOf('cross');

/**
 * Every pair of arcs that meet other than at common arc ends (or, for neighboring segments of one arc, at their common
 * vertex): at most one row per pair, sorted by a, then b. With `isSuspect` (a byte per arc) only pairs with at least
 * one suspect are searched. The decision is exact; the place of a crossing is rounded to the grid.
 *
 * Arcs are split into runs of a few segments, whose boxes go into a packed tree (sort-tile-recursive: Leutenegger,
 * Lopez and Edgington, "STR: a simple and efficient algorithm for R-tree packing", 1997), which is joined with itself.
 * Memory is proportional to the number of segments whatever their lengths: a segment across half the world is one more
 * box.
 */
export function findConflicts(table: ArcTable, isSuspect?: Uint8Array): Conflict[] {
  const found = new Map<number, Conflict & { gravity: number }>();
  const arcs = table.first.length;
  forEachMeeting(
    table,
    ({ a, b, gravity, x, y }) => {
      const key = Math.min(a, b) * arcs + Math.max(a, b);
      const old = found.get(key);
      if (old && (old.gravity - gravity || old.x - x || old.y - y) <= 0) return;
      found.set(key, { a: Math.min(a, b), b: Math.max(a, b), kind: SEVERITY[gravity], gravity, x, y });
    },
    isSuspect,
  );
  return [...found.values()]
    .sort((p, q) => p.a - q.a || p.b - q.b)
    .map(({ a, b, kind, x, y }) => ({ a, b, kind, x, y }));
}

/** The chains of arcs. */
type Chains = Pick<ArcTable, 'coords' | 'first' | 'length'>;

/** A place where two segments meet: their arcs, the vertices at which they start, and the kind as an index of SEVERITY. */
interface Meeting {
  readonly a: number;
  readonly b: number;
  readonly i: number;
  readonly j: number;
  readonly gravity: number;
  readonly x: number;
  readonly y: number;
}

/** Calls `visit` with every meeting of segments that makes a conflict; findConflicts() says how they are found. */
export function forEachMeeting(chains: Chains, visit: (meeting: Meeting) => void, isSuspect?: Uint8Array): void {
  const runs = splitRuns(chains);
  const tree = new BoxTree(runs);
  const pair = new RunPair(chains, runs, visit);
  for (let r = 0; r < runs.count; r++) {
    if (isSuspect && isSuspect[runs.arc[r]] === 0) continue;
    tree.query(r, (other) => {
      // A pair of two suspects, or any pair when all are suspects, is visited from both sides: compare it once.
      if (other < r && isSuspect?.[runs.arc[other]] !== 0) return;
      pair.compare(r, other);
    });
  }
}

/** Pieces of arcs. Run r has the segments that start at the vertices `from[r] … to[r] - 1` of its arc. */
interface Runs {
  readonly count: number;
  readonly arc: Uint32Array;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  readonly box: Int32Array;
}

function splitRuns({ coords, first, length }: Chains): Runs {
  let count = 0;
  for (let a = 0; a < first.length; a++) count += Math.ceil(Math.max(0, length[a] - 1) / RUN);
  const arc = new Uint32Array(count);
  const from = new Uint32Array(count);
  const to = new Uint32Array(count);
  const box = new Int32Array(4 * count);
  let r = 0;
  for (let a = 0; a < first.length; a++) {
    const last = first[a] + length[a] - 1;
    for (let v = first[a]; v < last; v += RUN, r++) {
      const end = Math.min(v + RUN, last);
      arc[r] = a;
      from[r] = v;
      to[r] = end;
      let west = coords[2 * v];
      let south = coords[2 * v + 1];
      let east = west;
      let north = south;
      for (let i = v + 1; i <= end; i++) {
        const x = coords[2 * i];
        const y = coords[2 * i + 1];
        if (x < west) west = x;
        if (x > east) east = x;
        if (y < south) south = y;
        if (y > north) north = y;
      }
      box[4 * r] = west;
      box[4 * r + 1] = south;
      box[4 * r + 2] = east;
      box[4 * r + 3] = north;
    }
  }
  return { count, arc, from, to, box };
}

/**
 * A packed tree of the boxes of runs. Level 0 has the runs in tiled order; each level above groups FAN boxes into one.
 */
class BoxTree {
  private readonly order: Uint32Array;
  private readonly boxes: Int32Array[] = [];
  private readonly runBox: Int32Array;
  private readonly stack: number[] = [];

  constructor(runs: Runs) {
    this.runBox = runs.box;
    this.order = tile(runs);
    let level = new Int32Array(4 * runs.count);
    for (let i = 0; i < runs.count; i++) {
      for (let side = 0; side < 4; side++) level[4 * i + side] = runs.box[4 * this.order[i] + side];
    }
    this.boxes.push(level);
    while (level.length > 4) {
      const below = level;
      const children = below.length / 4;
      level = new Int32Array(4 * Math.ceil(children / FAN));
      for (let i = 0; 4 * i < level.length; i++) {
        level.set(below.subarray(4 * FAN * i, 4 * FAN * i + 4), 4 * i);
        for (let c = FAN * i + 1; c < Math.min(FAN * (i + 1), children); c++) {
          level[4 * i] = Math.min(level[4 * i], below[4 * c]);
          level[4 * i + 1] = Math.min(level[4 * i + 1], below[4 * c + 1]);
          level[4 * i + 2] = Math.max(level[4 * i + 2], below[4 * c + 2]);
          level[4 * i + 3] = Math.max(level[4 * i + 3], below[4 * c + 3]);
        }
      }
      this.boxes.push(level);
    }
  }

  /** Calls `visit` with every run whose box meets that of run r, r included. */
  query(r: number, visit: (run: number) => void): void {
    const { runBox, boxes, stack, order } = this;
    const west = runBox[4 * r];
    const south = runBox[4 * r + 1];
    const east = runBox[4 * r + 2];
    const north = runBox[4 * r + 3];
    const top = boxes.length - 1;
    stack.push(top, 0);
    while (stack.length > 0) {
      const node = stack.pop()!;
      const level = stack.pop()!;
      const box = boxes[level];
      const b = 4 * node;
      if (box[b] > east || box[b + 1] > north || box[b + 2] < west || box[b + 3] < south) continue;
      if (level === 0) {
        visit(order[node]);
        continue;
      }
      const below = boxes[level - 1];
      const end = Math.min(FAN * (node + 1), below.length / 4);
      for (let c = FAN * node; c < end; c++) {
        const k = 4 * c;
        if (below[k] > east || below[k + 1] > north || below[k + 2] < west || below[k + 3] < south) continue;
        if (level === 1) visit(order[c]);
        else stack.push(level - 1, c);
      }
    }
  }
}

/** Runs sorted into vertical slices by the center of their boxes, and within a slice from south to north. */
function tile(runs: Runs): Uint32Array {
  const { count, box } = runs;
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    x[i] = box[4 * i] + box[4 * i + 2];
    y[i] = box[4 * i + 1] + box[4 * i + 3];
  }
  order.sort((i, j) => x[i] - x[j]);
  const slice = FAN * Math.ceil(Math.sqrt(count / FAN));
  for (let s = 0; s < count; s += slice) order.subarray(s, s + slice).sort((i, j) => y[i] - y[j]);
  return order;
}

/** Compares the segments of two runs. */
class RunPair {
  private readonly table: Chains;
  private readonly runs: Runs;
  private readonly visit: (meeting: Meeting) => void;
  private a = 0;
  private b = 0;

  constructor(table: Chains, runs: Runs, visit: (meeting: Meeting) => void) {
    this.table = table;
    this.runs = runs;
    this.visit = visit;
  }

  compare(r: number, other: number): void {
    const { coords } = this.table;
    const { runs } = this;
    this.a = runs.arc[r];
    this.b = runs.arc[other];
    const box = 4 * other;
    const [west, south, east, north] = [runs.box[box], runs.box[box + 1], runs.box[box + 2], runs.box[box + 3]];
    for (let i = runs.from[r]; i < runs.to[r]; i++) {
      const px = coords[2 * i];
      const py = coords[2 * i + 1];
      const qx = coords[2 * i + 2];
      const qy = coords[2 * i + 3];
      const minX = Math.min(px, qx);
      const maxX = Math.max(px, qx);
      const minY = Math.min(py, qy);
      const maxY = Math.max(py, qy);
      if (maxX < west || minX > east || maxY < south || minY > north) continue;
      for (let j = r === other ? i + 1 : runs.from[other]; j < runs.to[other]; j++) {
        const ux = coords[2 * j];
        const vx = coords[2 * j + 2];
        if ((ux < minX && vx < minX) || (ux > maxX && vx > maxX)) continue;
        const uy = coords[2 * j + 1];
        const vy = coords[2 * j + 3];
        if ((uy < minY && vy < minY) || (uy > maxY && vy > maxY)) continue;
        this.segments(i, j, px, py, qx, qy, ux, uy, vx, vy);
      }
    }
  }

  /** Compares segment i (p to q) with segment j (u to v), whose boxes meet. */
  private segments(
    i: number,
    j: number,
    px: number,
    py: number,
    qx: number,
    qy: number,
    ux: number,
    uy: number,
    vx: number,
    vy: number,
  ): void {
    const { a, b } = this;
    const report = (gravity: number, x: number, y: number) => this.visit({ a, b, i, j, gravity, x, y });
    const u = orient(px, py, qx, qy, ux, uy);
    const v = orient(px, py, qx, qy, vx, vy);
    if (u === v && u !== 0) return;
    if (u === 0 && v === 0) {
      // On one line: the second and third of the four sorted ends bound the common part.
      const byX = px !== qx || ux !== vx;
      const from = byX ? Math.max(Math.min(px, qx), Math.min(ux, vx)) : Math.max(Math.min(py, qy), Math.min(uy, vy));
      const to = byX ? Math.min(Math.max(px, qx), Math.max(ux, vx)) : Math.min(Math.max(py, qy), Math.max(uy, vy));
      if (from > to) return;
      const at = byX ? (px === from ? 0 : qx === from ? 1 : ux === from ? 2 : 3) : 0;
      if (byX) {
        const y = at === 0 ? py : at === 1 ? qy : at === 2 ? uy : vy;
        if (from < to) report(0, from, y);
        else this.contact(i, j, from, y);
      } else if (from < to) report(0, px, from);
      else this.contact(i, j, px, from);
      return;
    }
    const p = orient(ux, uy, vx, vy, px, py);
    const q = orient(ux, uy, vx, vy, qx, qy);
    if (p === q) return;
    if (u === 0) this.contact(i, j, ux, uy);
    else if (v === 0) this.contact(i, j, vx, vy);
    else if (p === 0) this.contact(i, j, px, py);
    else if (q === 0) this.contact(i, j, qx, qy);
    else {
      const [x, y] = crossing(px, py, qx, qy, ux, uy, vx, vy);
      report(CROSSES, x, y);
    }
  }

  /**
   * The segments share the point (x, y), a vertex of one of them. That is allowed between neighbors and at arc ends.
   */
  private contact(i: number, j: number, x: number, y: number): void {
    const { coords, first, length } = this.table;
    const { a, b } = this;
    const onI = coords[2 * i] === x && coords[2 * i + 1] === y ? i : i + 1;
    const onJ = coords[2 * j] === x && coords[2 * j + 1] === y ? j : j + 1;
    const meetI = coords[2 * onI] === x && coords[2 * onI + 1] === y;
    const meetJ = coords[2 * onJ] === x && coords[2 * onJ + 1] === y;
    if (meetI && meetJ) {
      if (a === b && onI === onJ) return;
      const endI = onI === first[a] || onI === first[a] + length[a] - 1;
      const endJ = onJ === first[b] || onJ === first[b] + length[b] - 1;
      if (endI && endJ) return;
    }
    this.visit({ a, b, i, j, gravity: 2, x, y });
  }
}

/** Where two segments cross, rounded to the grid. */
function crossing(
  px: number,
  py: number,
  qx: number,
  qy: number,
  ux: number,
  uy: number,
  vx: number,
  vy: number,
): [number, number] {
  const determinant = (qx - px) * (vy - uy) - (qy - py) * (vx - ux);
  const t = ((ux - px) * (vy - uy) - (uy - py) * (vx - ux)) / determinant;
  const share = Math.min(1, Math.max(0, t));
  return [Math.round(px + share * (qx - px)), Math.round(py + share * (qy - py))];
}
