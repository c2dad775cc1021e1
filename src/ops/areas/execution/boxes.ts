/** Boxes of boundaries: which meet, and the part of one on a side of it. */
import Flatbush from 'flatbush';
import { defined } from '../../../common/elements.ts';
import type { Direction } from '../../../domain/areas/algebra.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';

/** West, south, east, north in 1e-7 degrees, west <= east. */
export type Rectangle = readonly [number, number, number, number];

/** Whether the boxes of two boundaries overlap; a box across the antimeridian counts as all longitudes. */
export function boxesMeet(a: ResolvedBoundary, b: ResolvedBoundary): boolean {
  const [one, other] = [boxOf(a), boxOf(b)];
  if (one === null || other === null) return false;
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
}

function boxOf({ west, south, east, north }: ResolvedBoundary): Rectangle | null {
  if (west === null || south === null || east === null || north === null) return null;
  return west <= east ? [west, south, east, north] : [-1_800_000_000, south, 1_800_000_000, north];
}

/** Boxes of boundaries in an index: near() finds those that may meet a box without comparing all. */
export class BoxIndex {
  private readonly index: Flatbush | null;
  private readonly boxed: readonly ResolvedBoundary[];

  constructor(boundaries: readonly ResolvedBoundary[]) {
    this.boxed = boundaries.filter((one) => boxOf(one) !== null);
    this.index = this.boxed.length === 0 ? null : new Flatbush(this.boxed.length);
    for (const one of this.boxed) this.index?.add(...(boxOf(one) as Rectangle));
    this.index?.finish();
  }

  /** The boundaries whose boxes meet or touch that of `one`, in their order. */
  near(one: ResolvedBoundary): ResolvedBoundary[] {
    const box = boxOf(one);
    const found = box === null ? [] : (this.index?.search(...box) ?? []);
    return found.sort((a, b) => a - b).map((i) => defined(this.boxed[i]));
  }
}

const WEST = -1_800_000_000;
const EAST = 1_800_000_000;
/** All longitudes, in 1e-7 degrees. */
export const TURN = EAST - WEST;

/**
 * The part of the box of some boundaries on one side of a middle (1e-7 degrees): one rectangle, or two when it crosses the
 * antimeridian. Null when none of them has a box.
 */
export function halfOf(
  boundaries: readonly ResolvedBoundary[],
  direction: Direction,
  { x, y }: { readonly x: number; readonly y: number },
): Rectangle[] | null {
  const box = boxOfAll(boundaries);
  if (box === null) return null;
  const [west, south, east, north] = box;
  const [bottom, top] = direction.startsWith('north')
    ? [y, north]
    : direction.startsWith('south')
      ? [south, y]
      : [south, north];
  const [left, right] = direction.endsWith('east') ? [x, east] : direction.endsWith('west') ? [west, x] : [west, east];
  return rolled([left, bottom, right, top]);
}

/**
 * The part of the box of some boundaries beyond the end of other ones on one side, as halfOf() returns it. Null when any of
 * the two has no box; empty when nothing is beyond.
 */
export function beyondOf(
  boundaries: readonly ResolvedBoundary[],
  from: readonly ResolvedBoundary[],
  direction: Direction,
): Rectangle[] | null {
  const [box, place] = [boxOfAll(boundaries), boxOfAll(from)];
  if (box === null || place === null) return null;
  const [west, south, east, north] = box;
  // The turn that brings the place nearest to the box.
  const turn = TURN * Math.round((west + east - place[0] - place[2]) / 2 / TURN);
  const bottom = direction.startsWith('north') ? Math.max(south, place[3]) : south;
  const top = direction.startsWith('south') ? Math.min(north, place[1]) : north;
  const left = direction.endsWith('east') ? Math.max(west, place[2] + turn) : west;
  const right = direction.endsWith('west') ? Math.min(east, place[0] + turn) : east;
  return bottom >= top || left >= right ? [] : rolled([left, bottom, right, top]);
}

/**
 * The part of the box of some boundaries on one side of a parallel or a meridian, in degrees, as halfOf() returns it; empty
 * without any.
 */
export function beyondLine(
  boundaries: readonly ResolvedBoundary[],
  direction: Direction,
  degrees: number,
): Rectangle[] {
  const box = boxOfAll(boundaries);
  if (box === null) return [];
  const [west, south, east, north] = box;
  const line = Math.round(degrees * 1e7);
  const turned = line + TURN * Math.max(0, Math.ceil((west - line) / TURN));
  const bottom = direction === 'north' ? Math.max(south, line) : south;
  const top = direction === 'south' ? Math.min(north, line) : north;
  const left = direction === 'east' ? Math.max(west, turned) : west;
  const right = direction === 'west' ? Math.min(east, turned) : east;
  return bottom >= top || left >= right ? [] : rolled([left, bottom, right, top]);
}

/** The box of some boundaries, whose east is beyond 180 degrees where it crosses the antimeridian; null without any. */
export function boxOfAll(
  boundaries: readonly Pick<ResolvedBoundary, 'west' | 'south' | 'east' | 'north'>[],
): Rectangle | null {
  let box: Rectangle | null = null;
  for (const { west, south, east, north } of boundaries) {
    if (west === null || south === null || east === null || north === null) continue;
    const right = east < west ? east + TURN : east;
    box =
      box === null
        ? [west, south, right, north]
        : [Math.min(box[0], west), Math.min(box[1], south), Math.max(box[2], right), Math.max(box[3], north)];
  }
  return box;
}

/** A box whose east may be beyond 180 degrees as rectangles that are not. */
function rolled([left, bottom, right, top]: Rectangle): Rectangle[] {
  if (right <= EAST) return [[left, bottom, right, top]];
  if (left >= EAST) return [[left - TURN, bottom, right - TURN, top]];
  return [
    [left, bottom, EAST, top],
    [WEST, bottom, right - TURN, top],
  ];
}
