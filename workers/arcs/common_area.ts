import type { ArcTable } from '../contract.ts';
import { ExactSum, HALF_ELLIPSOID } from './area.ts';
import { arcCrossings } from './locate.ts';
import { LatitudeIndex } from './rows.ts';
import { arcSample } from './stitch_nest.ts';

/** A full turn of longitude in 1e-7 degrees. */
const TURN = 3_600_000_000;

/** Allowed rounding error of a sum of arcs, as a share of the smaller boundary's area. */
const ROUNDING = 1e-9;

/** The arcs of a boundary; true when its rings walk the arc forward. */
export type WalkedArcs = ReadonlyMap<number, boolean>;

/** The arcs of signed slots, with their directions. */
export function walkedArcs(refs: Int32Array): WalkedArcs {
  const arcs = new Map<number, boolean>();
  for (const ref of refs) arcs.set(ref < 0 ? ~ref : ref, ref >= 0);
  return arcs;
}

/** A boundary as an argument of commonArea(). */
export interface Walked {
  readonly refs: Int32Array;
  readonly walked: WalkedArcs;
  /** West, south, east, north of its arcs, in 1e-7 degrees. */
  readonly box: Int32Array;
  /** Its arcs by latitude; item k is the arc of `refs[k]`. */
  readonly rows: LatitudeIndex;
}

/** The arcs of signed slots by latitude. */
export function arcRows(table: ArcTable, refs: Int32Array): LatitudeIndex {
  return new LatitudeIndex(
    table.box,
    refs.map((ref) => (ref < 0 ? ~ref : ref)),
  );
}

export interface Common {
  /** Area in m2. */
  readonly area: number;
}

/**
 * The common area of two boundaries in m2 on WGS84, from the stored areas of arcs, without materializing geometry. The
 * border of the common area consists of the arcs of each boundary inside the other, and of the arcs that both walk in
 * the same direction. `most` is the smaller of their areas.
 *
 * Assumes that their arcs meet only at ends. Returns null where they do not (an arc on a border, or an impossible sum):
 * an overlay is then needed.
 * @param table the arcs, with their areas
 * @param a the arcs of one boundary
 * @param b the arcs of the other
 * @param most the smaller of their areas, in m2
 */
export function commonArea(table: ArcTable, a: Walked, b: Walked, most: number): Common | null {
  const border = new CommonBorder(table);
  for (const ref of a.refs) {
    const arc = ref < 0 ? ~ref : ref;
    const forward = b.walked.get(arc);
    if (forward === ref >= 0) border.addArc(ref);
    if (forward !== undefined) continue;
    const where = whereIs(table, arc, b);
    if (where === 0) return null;
    if (where > 0) border.addArc(ref);
  }
  for (const ref of b.refs) {
    const arc = ref < 0 ? ~ref : ref;
    if (a.walked.has(arc)) continue;
    const where = whereIs(table, arc, a);
    if (where === 0) return null;
    if (where > 0) border.addArc(ref);
  }
  return border.area(most);
}

/** Where an arc is that no arc of a boundary crosses: 1 inside the boundary, -1 outside, 0 on its border. */
export function whereIs(table: ArcTable, arc: number, boundary: Walked): -1 | 0 | 1 {
  const at = 4 * arc;
  const { box } = boundary;
  const own = table.box;
  if (own[at] < box[0] || own[at + 1] < box[1] || own[at + 2] > box[2] || own[at + 3] > box[3]) return -1;
  const [x, y] = arcSample(table, arc);
  return wherePointIs(table, x, y, boundary);
}

/** Where a point is, as locate() has it. Looks only at arcs that reach its latitude. */
export function wherePointIs(table: ArcTable, x: number, y: number, { refs, rows }: Walked): -1 | 0 | 1 {
  let isInside = false;
  for (const k of rows.at(y)) {
    const ref = refs[k];
    const crossings = arcCrossings(table, ref < 0 ? ~ref : ref, x, y);
    if (crossings < 0) return 0;
    if (crossings & 1) isInside = !isInside;
  }
  return isInside ? 1 : -1;
}

/** The border of a common area, as the sums of the arcs and of the parts of arcs that are its parts. */
export class CommonBorder {
  private readonly sum = new ExactSum();
  private turn = 0;
  private parts = 0;
  private readonly table: ArcTable;

  constructor(table: ArcTable) {
    this.table = table;
  }

  addArc(ref: number): void {
    const arc = ref < 0 ? ~ref : ref;
    this.add(ref, this.table.area[arc], this.table.turn[arc]);
  }

  /** Adds a part of an arc that has these sums when it is walked forward. */
  add(ref: number, area: number, turn: number): void {
    // S12 is positive for clockwise rings; here the interior is on the left.
    this.sum.add(ref < 0 ? area : -area);
    this.turn += ref < 0 ? -turn : turn;
    this.parts++;
  }

  /** The area in m2, at most `most`; null if the sums are none. A border around a pole lacks half of the ellipsoid. */
  area(most: number): Common | null {
    if (this.parts === 0) return { area: 0 };
    const slack = ROUNDING * most + 1e-3;
    const odd = Math.round(this.turn / TURN) % 2 !== 0;
    const sum = this.sum.value;
    for (const candidate of odd ? [sum + HALF_ELLIPSOID, sum - HALF_ELLIPSOID] : [sum]) {
      if (candidate >= -slack && candidate <= most + slack) return { area: Math.min(most, Math.max(0, candidate)) };
    }
    return null;
  }
}
