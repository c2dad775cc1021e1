import type { Linework } from './clean_lines.ts';
import { METERS_PER_UNIT } from './levels.ts';

/** A gap of the coast that was closed: its two ends (1e-7 degrees) and its length in meters. */
export interface Gap {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly meters: number;
}

/** With more open ends than this, the coast is damaged as a whole, and no gap is closed. */
const MOST_ENDS = 20_000;

/**
 * Closes gaps of up to `most` meters between an end of a coastline and the nearest start of one, if each is the nearest
 * of the other: adds the closing segments to `coast`. Segments are numbers of `lines`, s from a to b, ~s from b to a.
 * @returns the gaps that were closed
 */
export function closeGaps(lines: Linework, coast: Int32Array[], most: number): Gap[] {
  const balance = new Map<number, number>();
  const add = (vertex: number, by: number) => balance.set(vertex, (balance.get(vertex) ?? 0) + by);
  const startOf = (ref: number) => (ref < 0 ? lines.b.data[~ref] : lines.a.data[ref]);
  for (const chain of coast) {
    if (chain.length === 0) continue;
    add(startOf(chain[0]), -1);
    add(startOf(~chain[chain.length - 1]), 1);
  }
  const ends = [...balance].filter(([, sum]) => sum > 0).map(([vertex]) => vertex);
  const starts = [...balance].filter(([, sum]) => sum < 0).map(([vertex]) => vertex);
  if (ends.length === 0 || starts.length === 0 || ends.length + starts.length > MOST_ENDS) return [];
  const nearestEnd = nearest(lines, starts, ends, most);
  const nearestStart = nearest(lines, ends, starts, most);
  const gaps: Gap[] = [];
  for (const [end, { vertex: start, meters }] of nearestStart) {
    if (nearestEnd.get(start)?.vertex !== end) continue;
    const s = lines.segment(end, start);
    coast.push(Int32Array.of(lines.a.data[s] === end ? s : ~s));
    const place = (v: number) => [lines.x.data[v], lines.y.data[v]] as const;
    gaps.push({ from: place(end), to: place(start), meters });
  }
  return gaps;
}

/** For each of `from`, the nearest of `to` within `most` meters. */
function nearest(
  lines: Linework,
  from: readonly number[],
  to: readonly number[],
  most: number,
): Map<number, { readonly vertex: number; readonly meters: number }> {
  const y = lines.y.data;
  const sorted = [...to].sort((v, w) => y[v] - y[w]);
  const reach = most / METERS_PER_UNIT;
  const found = new Map<number, { vertex: number; meters: number }>();
  for (const v of from) {
    let low = 0;
    for (let high = sorted.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (y[sorted[middle]] < y[v] - reach) low = middle + 1;
      else high = middle;
    }
    for (let i = low; i < sorted.length && y[sorted[i]] <= y[v] + reach; i++) {
      const meters = lines.meters(v, sorted[i]);
      const had = found.get(v);
      if (meters <= most && sorted[i] !== v && (had === undefined || meters < had.meters))
        found.set(v, { vertex: sorted[i], meters });
    }
  }
  return found;
}
