import type { Polygons } from '../../workers/contract.ts';

/** Metres of 1e-7 degrees along a meridian, nowhere less on the ground: the metric of the tiers (engine.md). */
const METRES = (6_399_593.626 * Math.PI) / 180 / 1e7;

/**
 * How far a simplified ring and its original are apart in meters (the Hausdorff distance of the two lines, at most):
 * every vertex of the original between two that were kept, from the segment that replaces it. Distance to a segment is
 * convex, so that what holds for the vertices holds for the edges between them; and the nearest points of a connected
 * span cover the segment. Longitudes count by the cosine of the span's smallest absolute latitude.
 *
 * Kept vertices are found by their places alone: each is an original vertex, as it is or rounded to multiples of
 * `unit`, in the original order. Where several would do, the choice with the smallest distance counts. Rounding moves a
 * vertex by half a unit each way at most, which comes on top. Infinite when the one is not made of the other's vertices.
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
    if (unit > 1) put(`${rounded(full[2 * v])} ${rounded(full[2 * v + 1])}`, v);
  }
  const candidates = Array.from(
    { length: simple.length / 2 - 1 },
    (_, s) => places.get(`${simple[2 * s]} ${simple[2 * s + 1]}`) ?? [],
  );
  let best = Number.POSITIVE_INFINITY;
  for (const start of candidates[0] ?? []) best = Math.min(best, walk(full, n, candidates, start));
  return best;
}

/** The smallest of the largest distances over all ways to go round once from `start` by one candidate each. */
function walk(full: Int32Array, n: number, candidates: readonly number[][], start: number): number {
  let states = new Map([[start, 0]]);
  const goal = [start];
  for (let s = 1; s <= candidates.length; s++) {
    const next = new Map<number, number>();
    for (const place of s === candidates.length ? goal : candidates[s]) {
      // Places on the second time round are counted on.
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

/** The largest distance in meters of an original vertex strictly between two from the segment between those. */
function span(full: Int32Array, n: number, from: number, to: number): number {
  if (to === from + 1) return 0;
  const [a, b] = [2 * (from % n), 2 * (to % n)];
  let nearest = Number.POSITIVE_INFINITY;
  for (let v = from; v <= to; v++) nearest = Math.min(nearest, Math.abs(full[2 * (v % n) + 1]));
  const cosine = Math.cos((nearest / 1e7) * (Math.PI / 180));
  const [dx, dy] = [(full[b] - full[a]) * cosine, full[b + 1] - full[a + 1]];
  const length = dx * dx + dy * dy;
  let worst = 0;
  for (let v = from + 1; v < to; v++) {
    const at = 2 * (v % n);
    const [px, py] = [(full[at] - full[a]) * cosine, full[at + 1] - full[a + 1]];
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, (px * dx + py * dy) / length));
    worst = Math.max(worst, (px - share * dx) ** 2 + (py - share * dy) ** 2);
  }
  return Math.sqrt(worst) * METRES;
}

/** The directed edges of polygons that no other polygon of the list runs along the other way, as text, sorted. */
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
