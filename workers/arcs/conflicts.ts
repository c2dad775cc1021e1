import type { ArcTable } from '../contract.ts';
import { BoxTree, type Chains, type Runs, splitRuns } from './box_tree.ts';
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
 * @example
 * findConflicts(table) // => []
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
