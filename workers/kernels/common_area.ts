import type { ArcTable } from '../contract.ts';
import { ExactSum, HALF_ELLIPSOID } from './area.ts';
import { locate } from './locate.ts';
import { arcSample } from './stitch.ts';

/** 1e-7 degrees in a turn around the globe. */
const TURN = 3_600_000_000;

/** What an area may be off by, of the larger one, where sums of arcs are added up. */
const ROUNDING = 1e-9;

/** The arcs of a boundary, and whether its rings walk each forward. */
export type WalkedArcs = ReadonlyMap<number, boolean>;

/** The arcs of signed slots. */
export function walkedArcs(refs: Int32Array): WalkedArcs {
  const arcs = new Map<number, boolean>();
  for (const ref of refs) arcs.set(ref < 0 ? ~ref : ref, ref >= 0);
  return arcs;
}

/** Whether an arc is among those of a boundary. */
export const hasArcs = (arcs: WalkedArcs, arc: number): boolean => arcs.has(arc);

/** A boundary as commonArea() takes it. */
export interface Walked {
  readonly refs: Int32Array;
  readonly walked: WalkedArcs;
  /** West, south, east, north of its arcs. */
  readonly box: Int32Array;
}

export interface Common {
  /** In m2. */
  readonly area: number;
}

/**
 * The area in m2 on WGS84 that two boundaries have in common, added up from the stored sums of arcs without laying
 * anything out: the border of what is common is made of the arcs of each that run inside the other, and of the arcs that
 * both walk in the same direction. `most`: the smaller of their areas.
 *
 * Assumes that their arcs meet only at ends. Null where they do not (an arc on a border, or a sum that is not an area): then
 * an overlay is needed.
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

/** Where an arc runs: 1 inside a boundary, -1 outside, 0 on its border. */
function inside(table: ArcTable, arc: number, { refs, box }: Walked): number {
  const at = 4 * arc;
  const own = table.box;
  if (own[at] < box[0] || own[at + 1] < box[1] || own[at + 2] > box[2] || own[at + 3] > box[3]) return -1;
  const [x, y] = arcSample(table, arc);
  return locate(table, refs, x, y);
}

/** The sum of the arcs of a border as an area: one that goes round a pole lacks half of the ellipsoid. */
function areaOf(sum: number, turn: number, most: number): Common | null {
  const slack = ROUNDING * most + 1e-3;
  const odd = Math.round(turn / TURN) % 2 !== 0;
  for (const candidate of odd ? [sum + HALF_ELLIPSOID, sum - HALF_ELLIPSOID] : [sum]) {
    if (candidate >= -slack && candidate <= most + slack) return { area: Math.min(most, Math.max(0, candidate)) };
  }
  return null;
}
