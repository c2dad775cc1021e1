import { type IsCanceled, TooManySteps, throwIfCanceled } from '../cancel.ts';
import type { ArcTable } from '../contract.ts';
import { ARC_STEPS, mergeApart } from './groups.ts';
import { locate } from './locate.ts';
import { hashPair, tableSize } from './nodes.ts';
import { stitchDistinct } from './stitch.ts';
import { arcSample, type Stitched } from './stitch_nest.ts';

/** Bits for the two sides of an arc: inside some `include` boundary, inside some `exclude` boundary. */
const INCLUDE_LEFT = 1;
const INCLUDE_RIGHT = 2;
const EXCLUDE_LEFT = 4;
const EXCLUDE_RIGHT = 8;

/** Above this number, boundaries are indexed by columns of longitude. */
const COLUMNS_ABOVE = 64;
const COLUMNS = 512;

/** Steps between two checks of `isCanceled`: a few milliseconds of work. */
const POLL = 1_000_000;

/**
 * The union of the boundaries `include` minus the union of the boundaries `exclude`, as rings of the same arcs.
 *
 * `boundaries` has, per boundary, the signed arcs of its rings in any order, interior on the left. `include` and
 * `exclude` are indexes into it; repeats do not matter, and a boundary in both is cut away. Without `exclude`, the sum of
 * the borders gives the union of boundaries that do not overlap (mergeApart); all others are merged by mergeOverlapping.
 *
 * Assumes that no arcs involved are in a recorded conflict. GeometryFault (a sample on a border, or any trouble of
 * `stitch`) means that this did not hold, and the request needs the next strategy.
 * @throws DOMException named AbortError when canceled; TooManySteps when either takes more than `mostSteps`
 * @param table the arcs, with their boxes
 * @param boundaries per boundary, the signed arcs of its rings
 * @param include indexes of boundaries
 * @param exclude indexes of boundaries
 * @param mostSteps the most steps, as both count them
 * @example
 * mergeBoundaries(table, [left, right], [0, 1], []).rings.refs.length // => 2
 */
export function mergeBoundaries(
  table: ArcTable,
  boundaries: readonly Int32Array[],
  include: readonly number[],
  exclude: readonly number[],
  isCanceled?: IsCanceled,
  mostSteps = Infinity,
): Stitched {
  if (exclude.length === 0) {
    const members = include.map((b) => boundaries[b]);
    const merged = mergeApart(table, members, isCanceled, mostSteps);
    if (merged) return merged;
  }
  return mergeOverlapping(table, boundaries, include, exclude, isCanceled, mostSteps);
}

/**
 * What mergeBoundaries gives, by location. An arc is kept if exactly one of its sides lies inside the result: in `include`
 * and not in `exclude`. For boundaries that own the arc, the state of each side follows from the sign. Every other boundary
 * has one state along the whole arc, because arcs meet only at their ends; it is tested only while the answer depends on
 * it, at the midpoint of the arc's middle segment.
 *
 * A step is a vertex of a boundary in which an arc is sought, whether it is looked at or not; an arc is ARC_STEPS.
 * @throws DOMException named AbortError when canceled; TooManySteps after `mostSteps`
 * @param table the arcs, with their boxes
 * @param boundaries per boundary, the signed arcs of its rings
 * @param include indexes of boundaries
 * @param exclude indexes of boundaries
 * @param mostSteps the most steps, as said above
 */
export function mergeOverlapping(
  table: ArcTable,
  boundaries: readonly Int32Array[],
  include: readonly number[],
  exclude: readonly number[],
  isCanceled?: IsCanceled,
  mostSteps = Infinity,
): Stitched {
  const sides = new Uint8Array(boundaries.length);
  for (const b of include) sides[b] |= 1;
  for (const b of exclude) sides[b] |= 2;
  const named: number[] = [];
  let total = 0;
  for (let b = 0; b < boundaries.length; b++) {
    if (sides[b] === 0) continue;
    named.push(b);
    total += boundaries[b].length;
  }
  if (include.length === 0 || total === 0) return stitchDistinct(table, new Int32Array(0));

  const owned = collectArcs(boundaries, named, sides, total);
  const near = new Neighbors(table, boundaries, named);
  const result = new Int32Array(owned.count);
  let kept = 0;
  let steps = 0;
  let polled = -POLL;
  for (let i = 0; i < owned.count; i++) {
    steps += ARC_STEPS;
    if (steps > mostSteps) throw new TooManySteps();
    if (steps - polled > POLL) {
      throwIfCanceled(isCanceled);
      polled = steps;
    }
    const need = whatDecides(owned.state[i]);
    if (need === OUT) continue;
    const arc = owned.arc[i];
    const [x, y] = arcSample(table, arc);

    let included = need !== NEED_INCLUDE;
    let covered = false;
    const candidates = near.at(x);
    for (let c = 0; c < candidates.length && !covered; c++) {
      const slot = candidates[c];
      const b = named[slot];
      const covers = (sides[b] & 2) !== 0 || need === NO_INCLUDE;
      if ((included && !covers) || !near.boxHolds(slot, x, y) || owns(owned, i, b)) continue;
      const where = locate(table, boundaries[b], x, y);
      steps += near.stepsIn(slot);
      if (where === 0) {
        return { trouble: { reason: 'two borders lie on each other', x: Math.floor(x), y: Math.floor(y) } };
      }
      if (where < 0) continue;
      if (covers) covered = true;
      else included = true;
    }
    if (included && !covered) result[kept++] = interiorOnLeft(owned.state[i]) ? arc : ~arc;
  }
  return stitchDistinct(table, result.subarray(0, kept), isCanceled);
}

/** The two sides are equal, whatever the other boundaries are. */
const OUT = 0;
/** On the border of the includes: in the result unless another include, or an exclude, covers it. */
const NO_INCLUDE = 1;
/** On the border of the excludes and included by an owner: in the result unless another exclude covers it. */
const NO_EXCLUDE = 2;
/** On the border of the excludes only: in the result if another include, and no other exclude, covers it. */
const NEED_INCLUDE = 3;

/** What still decides about an arc, given the state that its owners fix. */
function whatDecides(state: number): number {
  const excludeLeft = (state & EXCLUDE_LEFT) !== 0;
  const excludeRight = (state & EXCLUDE_RIGHT) !== 0;
  const includeLeft = (state & INCLUDE_LEFT) !== 0;
  const includeRight = (state & INCLUDE_RIGHT) !== 0;
  if (excludeLeft && excludeRight) return OUT;
  if (excludeLeft === excludeRight) return includeLeft === includeRight ? OUT : NO_INCLUDE;
  return (excludeLeft ? includeRight : includeLeft) ? NO_EXCLUDE : NEED_INCLUDE;
}

/** For an arc of the result: whether the interior is on the left of the arc walked forward. */
function interiorOnLeft(state: number): boolean {
  if (state & EXCLUDE_RIGHT) return true;
  if (state & EXCLUDE_LEFT) return false;
  return (state & INCLUDE_LEFT) !== 0;
}

/** The distinct arcs of the named boundaries, each with its owners and the state that they fix. */
interface OwnedArcs {
  readonly count: number;
  readonly arc: Int32Array;
  readonly state: Uint8Array;
  /** Per arc, its last entry in the lists below, plus 1. */
  readonly head: Int32Array;
  /** Per entry: the owner, and the previous entry of the same arc plus 1. */
  readonly owner: Int32Array;
  readonly before: Int32Array;
}

function collectArcs(
  boundaries: readonly Int32Array[],
  named: readonly number[],
  sides: Uint8Array,
  total: number,
): OwnedArcs {
  const mask = tableSize(total) - 1;
  const slots = new Int32Array(mask + 1);
  const arcs = new Int32Array(total);
  const state = new Uint8Array(total);
  const head = new Int32Array(total);
  const owner = new Int32Array(total);
  const before = new Int32Array(total);
  let count = 0;
  let entry = 0;
  for (const b of named) {
    const refs = boundaries[b];
    const left = (sides[b] & 1 ? INCLUDE_LEFT : 0) | (sides[b] & 2 ? EXCLUDE_LEFT : 0);
    for (let k = 0; k < refs.length; k++) {
      const arc = refs[k] < 0 ? ~refs[k] : refs[k];
      let slot = hashPair(arc, 0) & mask;
      let i = slots[slot] - 1;
      while (i >= 0 && arcs[i] !== arc) {
        slot = (slot + 1) & mask;
        i = slots[slot] - 1;
      }
      if (i < 0) {
        i = count++;
        slots[slot] = count;
        arcs[i] = arc;
      }
      // The bit of a right side is twice that of the left side.
      state[i] |= refs[k] < 0 ? left << 1 : left;
      owner[entry] = b;
      before[entry] = head[i];
      head[i] = ++entry;
    }
  }
  return { count, arc: arcs, state, head, owner, before };
}

function owns(owned: OwnedArcs, i: number, boundary: number): boolean {
  for (let entry = owned.head[i]; entry !== 0; entry = owned.before[entry - 1]) {
    if (owned.owner[entry - 1] === boundary) return true;
  }
  return false;
}

/** The boxes of the named boundaries, indexed by columns of longitude. */
class Neighbors {
  private readonly boxes: Int32Array;
  private readonly steps: Float64Array;
  private readonly columns: readonly Int32Array[];
  private readonly west: number;
  private readonly width: number;

  constructor(table: ArcTable, boundaries: readonly Int32Array[], named: readonly number[]) {
    const { box, length } = table;
    this.boxes = new Int32Array(4 * named.length);
    this.steps = new Float64Array(named.length);
    let westmost = 2 ** 31;
    let eastmost = -(2 ** 31);
    for (let slot = 0; slot < named.length; slot++) {
      const refs = boundaries[named[slot]];
      let [west, south, east, north] = [2 ** 31 - 1, 2 ** 31 - 1, -(2 ** 31), -(2 ** 31)];
      let steps = refs.length;
      for (let k = 0; k < refs.length; k++) {
        const arc = refs[k] < 0 ? ~refs[k] : refs[k];
        const b = 4 * arc;
        steps += length[arc];
        if (box[b] < west) west = box[b];
        if (box[b + 1] < south) south = box[b + 1];
        if (box[b + 2] > east) east = box[b + 2];
        if (box[b + 3] > north) north = box[b + 3];
      }
      this.boxes.set([west, south, east, north], 4 * slot);
      this.steps[slot] = steps;
      if (west < westmost) westmost = west;
      if (east > eastmost) eastmost = east;
    }
    this.west = westmost;
    const columns = named.length > COLUMNS_ABOVE ? COLUMNS : 1;
    this.width = Math.max(1, (eastmost - westmost + 1) / columns);
    const lists: number[][] = Array.from({ length: columns }, () => []);
    for (let slot = 0; slot < named.length; slot++) {
      const last = this.column(this.boxes[4 * slot + 2]);
      for (let c = this.column(this.boxes[4 * slot]); c <= last && c < columns; c++) lists[c].push(slot);
    }
    this.columns = lists.map((list) => Int32Array.from(list));
  }

  private column(x: number): number {
    return Math.max(0, Math.floor((x - this.west) / this.width));
  }

  /** Positions in `named` of the boundaries whose box may contain a point of longitude x. */
  at(x: number): Int32Array {
    return this.columns[Math.min(this.column(x), this.columns.length - 1)];
  }

  /** The arcs and vertices of a boundary. */
  stepsIn(slot: number): number {
    return this.steps[slot];
  }

  boxHolds(slot: number, x: number, y: number): boolean {
    const { boxes } = this;
    const b = 4 * slot;
    return boxes[b] <= x && boxes[b + 1] <= y && boxes[b + 2] >= x && boxes[b + 3] >= y;
  }
}
