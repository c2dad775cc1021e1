import type { ArcTable } from '../contract.ts';
import { ExactSum, HALF_ELLIPSOID } from './area.ts';
import { arcCrossings } from './locate.ts';
import { LatitudeIndex } from './rows.ts';
import { arcSample } from './stitch.ts';

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

/** Whether a boundary has an arc. */
export const hasArcs = (arcs: WalkedArcs, arc: number): boolean => arcs.has(arc);

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
 */
export function commonArea(table: ArcTable, a: Walked, b: Walked, most: number): Common | null {
  const sum = new ExactSum();
  let turn = 0;
  let arcs = 0;
  const add = (ref: number): void => {
    sum.add(ref < 0 ? table.area[~ref] : -table.area[ref]);
    turn += ref < 0 ? -table.turn[~ref] : table.turn[ref];
    arcs++;
  };
  for (const ref of a.refs) {
    const arc = ref < 0 ? ~ref : ref;
    const forward = b.walked.get(arc);
    if (forward === ref >= 0) add(ref);
    if (forward !== undefined) continue;
    const where = inside(table, arc, b);
    if (where === 0) return null;
    if (where > 0) add(ref);
  }
  for (const ref of b.refs) {
    const arc = ref < 0 ? ~ref : ref;
    if (a.walked.has(arc)) continue;
    const where = inside(table, arc, a);
    if (where === 0) return null;
    if (where > 0) add(ref);
  }
  if (arcs === 0) return { area: 0 };
  return areaOf(sum.value, turn, most);
}

/** Where an arc is: 1 inside a boundary, -1 outside, 0 on its border. Looks only at arcs that reach its latitude. */
function inside(table: ArcTable, arc: number, { refs, box, rows }: Walked): number {
  const at = 4 * arc;
  const own = table.box;
  if (own[at] < box[0] || own[at + 1] < box[1] || own[at + 2] > box[2] || own[at + 3] > box[3]) return -1;
  const [x, y] = arcSample(table, arc);
  let isInside = false;
  for (const k of rows.at(y)) {
    const ref = refs[k];
    const crossings = arcCrossings(table, ref < 0 ? ~ref : ref, x, y);
    if (crossings < 0) return 0;
    if (crossings & 1) isInside = !isInside;
  }
  return isInside ? 1 : -1;
}

/** The sum of the arcs of a border as an area: a border around a pole lacks half of the ellipsoid. */
function areaOf(sum: number, turn: number, most: number): Common | null {
  const slack = ROUNDING * most + 1e-3;
  const odd = Math.round(turn / TURN) % 2 !== 0;
  for (const candidate of odd ? [sum + HALF_ELLIPSOID, sum - HALF_ELLIPSOID] : [sum]) {
    if (candidate >= -slack && candidate <= most + slack) return { area: Math.min(most, Math.max(0, candidate)) };
  }
  return null;
}
