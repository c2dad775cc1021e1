import { type IsCanceled, throwIfCanceled } from '../cancel.ts';
import type { ArcTable } from '../contract.ts';
import { edgeArea } from './area.ts';
import { type Common, CommonBorder, type Walked, whereIs, wherePointIs } from './common_area.ts';
import { CROSSES, forEachMeeting } from './conflicts.ts';

/** Meetings of segments between two checks of `isCanceled`. */
const POLL = 10_000;

/** Where an arc is cut: the segment that starts at vertex `at` of the arc, the share of it in front of the cut, the place. */
interface Cut {
  readonly at: number;
  readonly share: number;
  readonly x: number;
  readonly y: number;
}

/** Where two arcs cross: for each place the segments of both, and the place. Null: they also touch or overlap. */
type Crossing = readonly { readonly i: number; readonly j: number; readonly x: number; readonly y: number }[] | null;

/**
 * The crossings of arcs that are recorded as conflicts, for common areas without an overlay. The segments that meet are
 * found once for all arcs, when the first are needed.
 */
export class Crossings {
  private readonly table: ArcTable;
  private readonly isCanceled: IsCanceled;
  private readonly partners = new Map<number, Set<number>>();
  private found: ReadonlyMap<number, ReadonlyMap<number, Crossing>> | null = null;
  /** The areas of segments of arcs in conflicts, as edgeArea() has them; NaN until they are needed. */
  private readonly areas = new Map<number, Float64Array>();

  /** @param conflicts pairs of arcs, in either order, each once or more often */
  constructor(table: ArcTable, conflicts: Int32Array, isCanceled: IsCanceled) {
    this.table = table;
    this.isCanceled = isCanceled;
    for (let k = 0; k < conflicts.length; k += 2) {
      const [one, other] = [conflicts[k], conflicts[k + 1]];
      this.add(one, other);
      this.add(other, one);
    }
  }

  private add(from: number, to: number): void {
    const known = this.partners.get(from);
    if (known) known.add(to);
    else this.partners.set(from, new Set([to]));
  }

  /** The arcs in conflict with one. */
  of(arc: number): readonly number[] {
    return [...(this.partners.get(arc) ?? [])];
  }

  /** Whether an arc of one boundary is in conflict with one of the other. */
  between({ refs }: Walked, { walked }: Walked): boolean {
    if (this.partners.size === 0) return false;
    for (const ref of refs) {
      const partners = this.partners.get(ref < 0 ? ~ref : ref);
      if (partners) for (const arc of partners) if (walked.has(arc)) return true;
    }
    return false;
  }

  /** The cuts of an arc by arcs that are in conflict with it, along the arc; null when one touches or overlaps it. */
  cuts(arc: number, others: readonly number[]): readonly Cut[] | null {
    this.found ??= this.find();
    const cuts: Cut[] = [];
    for (const other of others) {
      const crossing = this.found.get(Math.min(arc, other))?.get(Math.max(arc, other));
      if (crossing === null) return null;
      for (const { i, j, x, y } of crossing ?? []) {
        const v = arc < other ? i : j;
        cuts.push({ at: v - this.table.first[arc], share: this.shareAt(v, x, y), x, y });
      }
    }
    return cuts.sort((p, q) => p.at - q.at || p.share - q.share);
  }

  private shareAt(v: number, x: number, y: number): number {
    const { coords } = this.table;
    const [dx, dy] = [coords[2 * v + 2] - coords[2 * v], coords[2 * v + 3] - coords[2 * v + 1]];
    return Math.abs(dx) >= Math.abs(dy) ? (x - coords[2 * v]) / dx : (y - coords[2 * v + 1]) / dy;
  }

  private find(): ReadonlyMap<number, ReadonlyMap<number, Crossing>> {
    const { coords, first, length } = this.table;
    const arcs = Uint32Array.from(this.partners.keys()).sort();
    const some = { coords, first: arcs.map((arc) => first[arc]), length: arcs.map((arc) => length[arc]) };
    const found = new Map<number, Map<number, { i: number; j: number; x: number; y: number }[] | null>>();
    let met = 0;
    forEachMeeting(some, ({ a, b, i, j, gravity }) => {
      if (++met % POLL === 0) throwIfCanceled(this.isCanceled);
      const isTurned = a > b;
      const [one, other] = isTurned ? [arcs[b], arcs[a]] : [arcs[a], arcs[b]];
      const ofOne = found.get(one) ?? new Map();
      found.set(one, ofOne);
      const list = ofOne.get(other);
      if (list === null) return;
      if (gravity !== CROSSES) {
        ofOne.set(other, null);
        return;
      }
      const [p, q] = isTurned ? [j, i] : [i, j];
      const crossing = { i: p, j: q, ...this.placeOf(p, q) };
      if (list) list.push(crossing);
      else ofOne.set(other, [crossing]);
    });
    return found;
  }

  /** Where two segments cross, not rounded. */
  private placeOf(i: number, j: number): { readonly x: number; readonly y: number } {
    const { coords } = this.table;
    const [px, py, ux, uy] = [coords[2 * i], coords[2 * i + 1], coords[2 * j], coords[2 * j + 1]];
    const [dx, dy] = [coords[2 * i + 2] - px, coords[2 * i + 3] - py];
    const [ex, ey] = [coords[2 * j + 2] - ux, coords[2 * j + 3] - uy];
    const share = Math.min(1, Math.max(0, ((ux - px) * ey - (uy - py) * ex) / (dx * ey - dy * ex)));
    return { x: px + share * dx, y: py + share * dy };
  }

  /** Adds the part of an arc between two cuts, null being its ends, to the border of a common area. */
  addPart(border: CommonBorder, ref: number, from: Cut | null, to: Cut | null): void {
    const arc = ref < 0 ? ~ref : ref;
    const { coords, first, length } = this.table;
    const v = 2 * first[arc];
    const start = from === null ? 0 : from.at + 1;
    const end = to === null ? length[arc] - 1 : to.at;
    const addEdge = (x1: number, y1: number, x2: number, y2: number) => {
      const { area, turn } = edgeArea(x1, y1, x2, y2);
      border.add(ref, area, turn);
    };
    if (from !== null && to !== null && from.at === to.at) {
      addEdge(from.x, from.y, to.x, to.y);
      return;
    }
    if (from !== null) addEdge(from.x, from.y, coords[v + 2 * start], coords[v + 2 * start + 1]);
    const known = this.areas.get(arc) ?? new Float64Array(length[arc] - 1).fill(NaN);
    this.areas.set(arc, known);
    for (let k = start; k < end; k++) {
      const [x1, y1, x2, y2] = coords.subarray(v + 2 * k, v + 2 * k + 4);
      if (Number.isNaN(known[k])) known[k] = edgeArea(x1, y1, x2, y2).area;
      border.add(ref, known[k], x2 - x1);
    }
    if (to !== null) addEdge(coords[v + 2 * end], coords[v + 2 * end + 1], to.x, to.y);
  }
}

/** Half a turn of longitude in 1e-7 degrees. */
const HALF_TURN = 1_800_000_000;

/**
 * The common area of two boundaries in m2, as commonArea(), where arcs of the two cross: these are cut at the crossings,
 * which are not rounded to the grid, and each part is inside or outside as a whole. Along an arc, each crossing changes
 * the side. Null where the arcs also touch or overlap, or where those of one boundary are in conflict with each other.
 * @param table the arcs, with their areas
 * @param crossings where arcs cross
 * @param a the arcs of one boundary
 * @param b the arcs of the other
 * @param most the smaller of their areas, in m2
 */
export function crossedArea(table: ArcTable, crossings: Crossings, a: Walked, b: Walked, most: number): Common | null {
  const border = new CommonBorder(table);
  for (const [own, other] of [
    [a, b],
    [b, a],
  ] as const) {
    for (const ref of own.refs) {
      const arc = ref < 0 ? ~ref : ref;
      const partners = crossings.of(arc);
      if (partners.some((one) => own.walked.has(one))) return null;
      const crossed = partners.filter((one) => other.walked.has(one));
      const forward = other.walked.get(arc);
      if (forward !== undefined) {
        if (crossed.length > 0) return null;
        if (own === a && forward === ref >= 0) border.addArc(ref);
        continue;
      }
      const cuts = crossed.length === 0 ? [] : crossings.cuts(arc, crossed);
      if (cuts === null) return null;
      if (cuts.length === 0) {
        const where = whereIs(table, arc, other);
        if (where === 0) return null;
        if (where > 0) border.addArc(ref);
        continue;
      }
      let isInside = isInsideAtStart(table, arc, cuts, other);
      if (isInside === null || isLong(table, arc)) return null;
      let from: Cut | null = null;
      for (const to of [...cuts, null]) {
        if (isInside) crossings.addPart(border, ref, from, to);
        isInside = !isInside;
        from = to;
      }
    }
  }
  return border.area(most);
}

/** Whether an arc has a segment of half a turn or more, as along the lower edge of Antarctica. */
function isLong({ coords, first, length, box }: ArcTable, arc: number): boolean {
  if (box[4 * arc + 2] - box[4 * arc] < HALF_TURN) return false;
  for (let v = first[arc]; v < first[arc] + length[arc] - 1; v++)
    if (Math.abs(coords[2 * v + 2] - coords[2 * v]) >= HALF_TURN) return true;
  return false;
}

/**
 * Whether an arc begins inside a boundary that cuts it, by its first, its middle and its last vertex; null when these
 * disagree or all are on the border.
 */
function isInsideAtStart(table: ArcTable, arc: number, cuts: readonly Cut[], boundary: Walked): boolean | null {
  const { coords } = table;
  const last = table.length[arc] - 1;
  let isInside: boolean | null = null;
  for (const at of new Set([0, last >> 1, last])) {
    const v = 2 * (table.first[arc] + at);
    const where = wherePointIs(table, coords[v], coords[v + 1], boundary);
    if (where === 0) continue;
    const crossed = cuts.filter((cut) => cut.at < at).length;
    const begins: boolean = where > 0 === (crossed % 2 === 0);
    if (isInside !== null && isInside !== begins) return null;
    isInside = begins;
  }
  return isInside;
}
