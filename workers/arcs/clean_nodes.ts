import type { Linework } from './clean_lines.ts';
import { orient } from './orient.ts';

/** Rounds of splitting before the coverage is rejected. Real files need two to four. */
const ROUNDS = 100;

/**
 * Splits the segments of a linework until no two of them meet except at their ends, on the integer grid: a crossing
 * becomes a vertex at the nearest grid point, and a vertex on a segment becomes a vertex of it. Moving a crossing to
 * the grid bends the pieces by at most 0.71 units (8 mm), which may make them meet other segments, so the new pieces
 * are checked again until none meet. Changes `lines` in place.
 * @returns vertices where segments still meet after ROUNDS rounds; empty when the linework is noded
 */
export function nodeLinework(lines: Linework): number[] {
  let queue = Int32Array.from({ length: lines.a.length }, (_, s) => s);
  for (let round = 0; round < ROUNDS; round++) {
    const splits = findSplits(lines, queue);
    if (splits.size === 0) return [];
    queue = applySplits(lines, splits);
  }
  return [...findSplits(lines, queue).values()].map((vertices) => vertices[0]);
}

/** Per segment, the vertices to insert into it. Covers all pairs with at least one segment in the queue. */
function findSplits(lines: Linework, queue: Int32Array): Map<number, number[]> {
  const { a, b, x, y } = lines;
  const splits = new Map<number, number[]>();
  const split = (s: number, vertex: number): void => {
    if (vertex === a.data[s] || vertex === b.data[s]) return;
    const vertices = splits.get(s);
    if (vertices === undefined) splits.set(s, [vertex]);
    else if (!vertices.includes(vertex)) vertices.push(vertex);
  };
  const isQueued = new Uint8Array(lines.a.length);
  for (const s of queue) isQueued[s] = 1;

  const side = (s: number, v: number) =>
    orient(x.data[a.data[s]], y.data[a.data[s]], x.data[b.data[s]], y.data[b.data[s]], x.data[v], y.data[v]);
  const touch = (s: number, v: number): void => {
    // v is on the line through s; it is between the ends of s when it is in their box.
    const from = a.data[s];
    const to = b.data[s];
    if (x.data[v] < Math.min(x.data[from], x.data[to]) || x.data[v] > Math.max(x.data[from], x.data[to])) return;
    if (y.data[v] < Math.min(y.data[from], y.data[to]) || y.data[v] > Math.max(y.data[from], y.data[to])) return;
    split(s, v);
  };

  for (const s of queue) {
    if (lines.path.has(s)) continue;
    const p = a.data[s];
    const q = b.data[s];
    const west = Math.min(x.data[p], x.data[q]);
    const east = Math.max(x.data[p], x.data[q]);
    const south = Math.min(y.data[p], y.data[q]);
    const north = Math.max(y.data[p], y.data[q]);
    lines.near(s, (t) => {
      // A pair of two queued segments is compared once, from the one with the higher number.
      if (t > s && isQueued[t] === 1) return;
      const r = a.data[t];
      const u = b.data[t];
      if (x.data[r] < west && x.data[u] < west) return;
      if (x.data[r] > east && x.data[u] > east) return;
      if (y.data[r] < south && y.data[u] < south) return;
      if (y.data[r] > north && y.data[u] > north) return;
      const rSide = side(s, r);
      const uSide = side(s, u);
      if (rSide !== 0 && rSide === uSide) return;
      const pSide = side(t, p);
      const qSide = side(t, q);
      if (pSide !== 0 && pSide === qSide) return;
      if (rSide * uSide < 0 && pSide * qSide < 0) {
        const [cx, cy] = crossing(lines, s, t);
        const vertex = lines.vertex(cx, cy);
        split(s, vertex);
        split(t, vertex);
        return;
      }
      if (rSide === 0) touch(s, r);
      if (uSide === 0) touch(s, u);
      if (pSide === 0) touch(t, p);
      if (qSide === 0) touch(t, q);
    });
  }
  return splits;
}

/** The grid point nearest to the crossing of two segments, exactly. */
function crossing(lines: Linework, s: number, t: number): [number, number] {
  const at = (v: number): [bigint, bigint] => [BigInt(lines.x.data[v]), BigInt(lines.y.data[v])];
  const [px, py] = at(lines.a.data[s]);
  const [qx, qy] = at(lines.b.data[s]);
  const [rx, ry] = at(lines.a.data[t]);
  const [ux, uy] = at(lines.b.data[t]);
  let below = (qx - px) * (uy - ry) - (qy - py) * (ux - rx);
  let above = (rx - px) * (uy - ry) - (ry - py) * (ux - rx);
  if (below < 0n) {
    below = -below;
    above = -above;
  }
  return [Number(px + divideRounded((qx - px) * above, below)), Number(py + divideRounded((qy - py) * above, below))];
}

/** n / d rounded to the nearest integer, halves up; d > 0. */
function divideRounded(n: bigint, d: bigint): bigint {
  const doubled = 2n * n + d;
  const quotient = doubled / (2n * d);
  return doubled < 0n && doubled % (2n * d) !== 0n ? quotient - 1n : quotient;
}

/** Replaces the split segments by paths. @returns the new segments */
function applySplits(lines: Linework, splits: ReadonlyMap<number, readonly number[]>): Int32Array<ArrayBuffer> {
  const before = lines.a.length;
  const { x, y } = lines;
  for (const [s, vertices] of splits) {
    const from = lines.a.data[s];
    const dx = x.data[lines.b.data[s]] - x.data[from];
    const dy = y.data[lines.b.data[s]] - y.data[from];
    const along = (v: number) => (x.data[v] - x.data[from]) * dx + (y.data[v] - y.data[from]) * dy;
    const inner = [...vertices].sort((v, w) => along(v) - along(w) || v - w);
    lines.path.set(s, [from, ...inner, lines.b.data[s]]);
  }
  // All paths before any piece: a piece may itself be a segment that is replaced in this round.
  for (const s of splits.keys()) {
    const path = lines.path.get(s)!;
    for (let i = 1; i < path.length; i++) lines.segment(path[i - 1], path[i]);
  }
  return Int32Array.from({ length: lines.a.length - before }, (_, i) => before + i);
}
