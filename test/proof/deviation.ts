import { defined } from '../../src/common/elements.ts';
import type { Polygons } from '../../workers/contract.ts';
import { leading } from '../setup/elements.ts';

/** Meters per 1e-7 degrees along a meridian, an upper bound on the ground: the metric of the tiers. */
const METERS_PER_UNIT = (6_399_593.626 * Math.PI) / 180 / 1e7;

/**
 * An upper bound in meters on the Hausdorff distance between a simplified ring and its original: the distance of every
 * original vertex between two kept ones to the segment that replaces it. The distance to a segment is convex, so the
 * bound for the vertices holds for the edges between them; and the nearest points of a connected span cover the
 * segment. Longitudes are scaled by the cosine of the span's smallest absolute latitude.
 *
 * Kept vertices are identified by position: each is an original vertex, unchanged or rounded to multiples of `unit`, in
 * the original order. If several match, the choice with the smallest distance counts. Rounding adds at most half a unit
 * per axis, which is not included. Infinity when the simplified ring does not consist of original vertices.
 *
 * @param full a closed ring, as x, y; `simple` likewise
 */
export function deviation(full: Int32Array, simple: Int32Array, unit: number): number {
  const n = full.length / 2 - 1;
  const places = new Map<string, number[]>();
  const put = (key: string, v: number) => {
    const list = places.get(key);
    if (!list) places.set(key, [v]);
    else if (list[list.length - 1] !== v) list.push(v);
  };
  const rounded = (value: number) => Math.floor(value / unit + 0.5) * unit;
  for (let v = 0; v < n; v++) {
    put(`${full[2 * v]} ${full[2 * v + 1]}`, v);
    if (unit > 1) put(`${rounded(defined(full[2 * v]))} ${rounded(defined(full[2 * v + 1]))}`, v);
  }
  const candidates = Array.from(
    { length: simple.length / 2 - 1 },
    (_, s) => places.get(`${simple[2 * s]} ${simple[2 * s + 1]}`) ?? [],
  );
  let best = Number.POSITIVE_INFINITY;
  for (const start of candidates[0] ?? []) best = Math.min(best, walk(full, n, candidates, start));
  return best;
}

/** The smallest maximum distance over all ways around from `start` with one candidate per vertex. */
function walk(full: Int32Array, n: number, candidates: readonly number[][], start: number): number {
  let states = new Map([[start, 0]]);
  const goal = [start];
  for (let s = 1; s <= candidates.length; s++) {
    const next = new Map<number, number>();
    for (const place of s === candidates.length ? goal : defined(candidates[s])) {
      // Positions on the second round continue the count.
      const to = place > start && s < candidates.length ? place : place + n;
      if (to > start + n) continue;
      for (const [from, worst] of states) {
        if (from >= to) continue;
        const reached = Math.max(worst, span(full, n, from, to));
        if (reached < (next.get(to) ?? Number.POSITIVE_INFINITY)) next.set(to, reached);
      }
    }
    states = next;
  }
  return Math.min(Number.POSITIVE_INFINITY, ...states.values());
}

/** The largest distance in meters of the original vertices strictly between two from the segment between those. */
function span(full: Int32Array, n: number, from: number, to: number): number {
  if (to === from + 1) return 0;
  const [a, b] = [2 * (from % n), 2 * (to % n)];
  let nearest = Number.POSITIVE_INFINITY;
  for (let v = from; v <= to; v++) nearest = Math.min(nearest, Math.abs(defined(full[2 * (v % n) + 1])));
  const cosine = Math.cos((nearest / 1e7) * (Math.PI / 180));
  const [[left, low], [right, high]] = [leading(full.subarray(a), 2), leading(full.subarray(b), 2)];
  const [dx, dy] = [(right - left) * cosine, high - low];
  const length = dx * dx + dy * dy;
  let worst = 0;
  for (let v = from + 1; v < to; v++) {
    const at = 2 * (v % n);
    const [px, py] = [(defined(full[at]) - left) * cosine, defined(full[at + 1]) - low];
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length));
    worst = Math.max(worst, (px - share * dx) ** 2 + (py - share * dy) ** 2);
  }
  return Math.sqrt(worst) * METERS_PER_UNIT;
}

/** The directed edges of polygons that no other polygon of the list has in reverse, as sorted text. */
export function outline(all: readonly Polygons[]): string[] {
  const open = new Set<string>();
  for (const { coords, ringEnd } of all) {
    let v = 0;
    for (const end of ringEnd) {
      for (; v < end - 1; v++) {
        const from = `${coords[2 * v]} ${coords[2 * v + 1]}`;
        const to = `${coords[2 * v + 2]} ${coords[2 * v + 3]}`;
        if (open.delete(`${to},${from}`)) continue;
        if (open.has(`${from},${to}`)) throw new Error(`two areas on one side of ${from},${to}`);
        open.add(`${from},${to}`);
      }
      v = end;
    }
  }
  return [...open].sort();
}
