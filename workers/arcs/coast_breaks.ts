import type { Linework } from './clean_lines.ts';
import { METERS_PER_UNIT } from './levels.ts';

/** Where a part of the coast is missing or wrong: a circle around a place (1e-7 degrees), its radius in meters. */
export interface Break {
  readonly x: number;
  readonly y: number;
  readonly meters: number;
}

/** The coast is looked for around a break as far as this times half the distance of its ends: it may bend. */
const BEND = 1.5;
/** With more open ends than this, the coast is damaged as a whole, and no ends are matched. */
const MOST_ENDS = 500;

/**
 * The breaks of a coast. Where a way is missing, one line ends and another begins; where it runs the wrong way, two end
 * at a vertex and two begin at another. Ends and beginnings are matched, the nearest first, and a circle around both is
 * taken as the place where the coast may run. Ends that are not `inside` count for nothing: they are where a file ends.
 */
export function breaksOf(
  lines: Linework,
  coast: readonly Int32Array[],
  isInside: (vertex: number) => boolean,
): Break[] {
  const { x, y } = lines;
  const { ends, starts } = openEnds(lines, coast, isInside);
  if (ends.length > MOST_ENDS || starts.length > MOST_ENDS) return [];
  const pairs = ends.flatMap((end, i) => starts.map((start, k) => ({ i, k, meters: lines.meters(end, start) })));
  pairs.sort((a, b) => a.meters - b.meters || a.i - b.i || a.k - b.k);
  const isUsed = [new Uint8Array(ends.length), new Uint8Array(starts.length)] as const;
  const breaks: Break[] = [];
  for (const { i, k, meters } of pairs) {
    if (isUsed[0][i] === 1 || isUsed[1][k] === 1) continue;
    isUsed[0][i] = 1;
    isUsed[1][k] = 1;
    const [from, to] = [ends[i], starts[k]];
    breaks.push({
      x: (x.data[from] + x.data[to]) / 2,
      y: (y.data[from] + y.data[to]) / 2,
      meters: (BEND * meters) / 2,
    });
  }
  return breaks;
}

/** The vertices at which more lines end than begin, and the other way round, each as often as that. */
function openEnds(lines: Linework, coast: readonly Int32Array[], isInside: (vertex: number) => boolean) {
  const balance = new Map<number, number>();
  const add = (vertex: number, by: number) => balance.set(vertex, (balance.get(vertex) ?? 0) + by);
  const startOf = (ref: number) => (ref < 0 ? lines.b.data[~ref] : lines.a.data[ref]);
  for (const chain of coast) {
    if (chain.length === 0) continue;
    add(startOf(chain[0]), -1);
    add(startOf(~chain[chain.length - 1]), 1);
  }
  const ends: number[] = [];
  const starts: number[] = [];
  for (const [vertex, sum] of balance) {
    if (sum === 0 || !isInside(vertex)) continue;
    for (let n = Math.abs(sum); n > 0; n--) (sum > 0 ? ends : starts).push(vertex);
  }
  return { ends, starts };
}

/** Breaks in the order of their latitudes, to find those that a segment comes into. */
export class BreakIndex {
  private readonly breaks: readonly Break[];
  /** The largest radius in 1e-7 degrees of latitude. */
  private readonly reach: number;

  constructor(breaks: readonly Break[]) {
    this.breaks = [...breaks].sort((one, other) => one.y - other.y);
    this.reach = Math.max(0, ...breaks.map(({ meters }) => meters)) / METERS_PER_UNIT + 1;
  }

  get size(): number {
    return this.breaks.length;
  }

  /** One of them that the segment from a to b comes into; null: none. */
  metBy(a: readonly [number, number], b: readonly [number, number]): Break | null {
    const [south, north] = [Math.min(a[1], b[1]) - this.reach, Math.max(a[1], b[1]) + this.reach];
    let low = 0;
    for (let high = this.breaks.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (this.breaks[middle].y < south) low = middle + 1;
      else high = middle;
    }
    for (let i = low; i < this.breaks.length && this.breaks[i].y <= north; i++)
      if (comesInto(this.breaks[i], a, b)) return this.breaks[i];
    return null;
  }
}

/** Whether a segment comes into a circle, in the plane that touches the Earth at its center. */
function comesInto({ x, y, meters }: Break, a: readonly [number, number], b: readonly [number, number]): boolean {
  const squeeze = Math.cos((y / 1e7 / 180) * Math.PI);
  const [ax, ay] = [(a[0] - x) * squeeze, a[1] - y];
  const [dx, dy] = [(b[0] - a[0]) * squeeze, b[1] - a[1]];
  const long = dx * dx + dy * dy;
  const t = long === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / long));
  return Math.hypot(ax + t * dx, ay + t * dy) * METERS_PER_UNIT < meters;
}
