import type { Coords } from '../../workers/contract.ts';

/** 180 degrees in 1e-7 degrees. */
const HALF = 1_800_000_000;
const POLE = 900_000_000;
const DEGREE = 10_000_000;

/**
 * Cuts a ring at the antimeridian, as RFC 7946 (section 3.1.9) requires, if the file did not: an edge of more than 180
 * degrees of longitude then goes the short way, across the antimeridian. A ring around a pole is closed along the
 * parallel of 90 degrees. In a file that is cut already, only edges along a pole or a parallel are that long; cutting
 * there would leave no area, so the ring is kept. A long edge that is kept gets a vertex at each whole degree, as the
 * short way between its ends is not its course.
 * @param ring a closed ring in 1e-7 degrees
 * @returns closed rings without an edge of more than 180 degrees; the ring itself if it has none
 */
export function cutAtSeam(ring: Coords): Coords[] {
  const jumps: number[] = [];
  for (let i = 2; i < ring.length; i += 2) if (Math.abs(ring[i]! - ring[i - 2]!) > HALF) jumps.push(i - 2);
  if (jumps.length === 0) return [ring];
  const pieces = joinChains(chains(ring, jumps));
  return (pieces.length > 0 ? pieces : [ring]).map(divided);
}

/**
 * Cuts the ways of a boundary at the antimeridian, as cutAtSeam() does with rings: an edge of more than 180 degrees of
 * longitude goes the short way, across it. What is then open on either side is closed along the antimeridian, where every
 * second gap is inside, and around a pole if the boundary contains that.
 * @param ways chains in 1e-7 degrees that together are closed; each as often as the boundary uses it
 * @returns the same array if no way crosses. If cutting would leave no area, long edges lie along parallels and are kept,
 *   with a vertex at each whole degree
 */
export function cutWaysAtSeam(ways: readonly Coords[]): readonly Coords[] {
  if (!ways.some((way) => crossings(way).length > 0)) return ways;
  const out: Coords[] = [];
  /** Latitudes at which the boundary crosses an odd number of times. */
  const crossed = new Set<number>();
  for (const way of ways) {
    for (const y of cutChain(out, way, crossings(way))) if (!crossed.delete(y)) crossed.add(y);
  }
  const sorted = [...crossed].sort((a, b) => a - b);
  if (sorted.length % 2 === 1) {
    const pole = meanLatitude(ways) < 0 ? -POLE : POLE;
    sorted.push(pole);
    sorted.sort((a, b) => a - b);
    out.push(divided(Int32Array.of(-HALF, pole, HALF, pole)));
  }
  if (out.every((chain) => chain.every((value, i) => i % 2 === 1 || Math.abs(value) === HALF)))
    return ways.map(divided);
  for (let i = 0; i + 1 < sorted.length; i += 2) {
    const [south, north] = [sorted[i]!, sorted[i + 1]!];
    if (south < north) for (const side of [-HALF, HALF]) out.push(Int32Array.of(side, south, side, north));
  }
  return out;
}

/**
 * Cuts a line at the antimeridian, in its direction: an edge of more than 180 degrees of longitude goes the short way,
 * across it. An edge along a pole crosses nothing and is kept.
 * @param line a chain in 1e-7 degrees, open or closed
 * @returns chains without an edge that crosses; the line itself if it has none
 */
export function cutLineAtSeam(line: Coords): readonly Coords[] {
  const isPole = (i: number) => Math.abs(line[i + 1]!) === POLE && line[i + 3] === line[i + 1];
  const cuts = crossings(line).filter((i) => !isPole(i));
  if (cuts.length === 0) return [line];
  const out: Coords[] = [];
  cutChain(out, line, cuts);
  return out;
}

/** Adds the pieces of a way between these edges, which cross the antimeridian. Returns the latitudes of the crossings. */
function cutChain(out: Coords[], way: Coords, edges: readonly number[]): number[] {
  let from = 0;
  let start: number[] = [];
  const latitudes = edges.map((i) => {
    const side = way[i]! < 0 ? -HALF : HALF;
    const y = latitudeOfCrossing(way, i, i + 2);
    keepChain(out, [...start, ...way.subarray(from, i + 2), side, y]);
    start = [-side, y];
    from = i + 2;
    return y;
  });
  keepChain(out, [...start, ...way.subarray(from)]);
  return latitudes;
}

/** The indexes of the edges that cross the antimeridian. */
function crossings(way: Coords): number[] {
  const found: number[] = [];
  for (let i = 0; i + 3 < way.length; i += 2) {
    if (Math.abs(way[i + 2]! - way[i]!) > HALF) found.push(i);
  }
  return found;
}

/** Adds a chain unless it is a single vertex. */
function keepChain(out: Coords[], chain: readonly number[]): void {
  const kept = withoutRepeats(chain);
  if (kept.length > 2) out.push(Int32Array.from(kept));
}

function meanLatitude(ways: readonly Coords[]): number {
  let [sum, count] = [0, 0];
  for (const way of ways) {
    for (let i = 1; i < way.length; i += 2) sum += way[i]!;
    count += way.length / 2;
  }
  return sum / count;
}

/** Adds a vertex at each whole degree of edges longer than 180 degrees; the same vertices for both directions. */
function divided(ring: Coords): Coords {
  const out = [ring[0]!, ring[1]!];
  for (let i = 2; i < ring.length; i += 2) {
    const [ax, ay, bx, by] = [ring[i - 2]!, ring[i - 1]!, ring[i]!, ring[i + 1]!];
    if (Math.abs(bx - ax) > HALF) {
      const [west, south, east, north] = ax < bx ? [ax, ay, bx, by] : [bx, by, ax, ay];
      const inner: [number, number][] = [];
      for (let x = Math.floor(west / DEGREE + 1) * DEGREE; x < east; x += DEGREE) {
        inner.push([x, Math.round(south + ((north - south) * (x - west)) / (east - west))]);
      }
      if (ax > bx) inner.reverse();
      out.push(...inner.flat());
    }
    out.push(bx, by);
  }
  return Int32Array.from(out);
}

/** The parts of a ring between its crossings of the antimeridian; each begins and ends on one of its sides. */
function chains(ring: Coords, jumps: readonly number[]): number[][] {
  const list: number[][] = [];
  let current: number[] = [];
  const n = ring.length - 2;
  const first = jumps[0]!;
  // Once around, from just after the first crossing.
  for (let k = 0; k <= n; k += 2) {
    const from = (first + k) % n;
    const to = (from + 2) % n;
    if (k > 0) current.push(ring[from]!, ring[from + 1]!);
    if (Math.abs(ring[to]! - ring[from]!) <= HALF) continue;
    const side = ring[from]! < 0 ? -HALF : HALF;
    const y = latitudeOfCrossing(ring, from, to);
    if (k > 0) {
      current.push(side, y);
      list.push(withoutRepeats(current));
    }
    current = [-side, y];
  }
  return list;
}

/** The latitude where an edge crosses, computed from west to east: the same for both directions of the edge. */
function latitudeOfCrossing(ring: Coords, from: number, to: number): number {
  const [east, west] = ring[from]! > 0 ? [from, to] : [to, from];
  const before = HALF - ring[east]!;
  const after = ring[west]! + HALF;
  if (before + after === 0) return ring[east + 1]!;
  return Math.round(ring[east + 1]! + ((ring[west + 1]! - ring[east + 1]!) * before) / (before + after));
}

function withoutRepeats(chain: readonly number[]): number[] {
  const out: number[] = [];
  for (let i = 0; i < chain.length; i += 2) {
    if (out.length > 0 && out.at(-2) === chain[i] && out.at(-1) === chain[i + 1]) continue;
    out.push(chain[i]!, chain[i + 1]!);
  }
  return out;
}

/** Closes the chains along the antimeridian: on each side, from south to north, every second gap is inside. */
function joinChains(list: number[][]): Coords[] {
  const east = list.filter((chain) => chain[0] === HALF).length + list.filter((chain) => chain.at(-2) === HALF).length;
  if (east % 2 === 1) {
    const mean = list.flat().reduce((sum, value, i) => (i % 2 === 1 ? sum + value : sum), 0);
    const pole = mean < 0 ? -POLE : POLE;
    list.push([HALF, pole, -HALF, pole]);
  }
  // End e (0 or 1) of chain c has the number 2 * c + e.
  const partner = new Map<number, number>();
  for (const side of [HALF, -HALF]) {
    const ends = list.flatMap((chain, c) => [
      { end: 2 * c, x: chain[0]!, y: chain[1]! },
      { end: 2 * c + 1, x: chain.at(-2)!, y: chain.at(-1)! },
    ]);
    const sorted = ends.filter((end) => end.x === side).sort((a, b) => a.y - b.y || a.end - b.end);
    for (let i = 0; i + 1 < sorted.length; i += 2) {
      partner.set(sorted[i]!.end, sorted[i + 1]!.end);
      partner.set(sorted[i + 1]!.end, sorted[i]!.end);
    }
  }
  const rings: Coords[] = [];
  const isUsed = new Set<number>();
  for (let c = 0; c < list.length; c++) {
    const points: number[] = [];
    for (let end = 2 * c; !isUsed.has(end >> 1); ) {
      const chain = list[end >> 1]!;
      isUsed.add(end >> 1);
      for (let i = 0; i < chain.length; i += 2) {
        const at = (end & 1) === 0 ? i : chain.length - 2 - i;
        points.push(chain[at]!, chain[at + 1]!);
      }
      end = partner.get(end ^ 1)!;
    }
    const closed = withoutRepeats([...points, points[0] ?? 0, points[1] ?? 0]);
    if (hasArea(closed)) rings.push(Int32Array.from(closed));
  }
  return rings;
}

function hasArea(ring: readonly number[]): boolean {
  let sum = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    sum += (ring[i]! - ring[0]!) * (ring[i + 3]! - ring[1]!) - (ring[i + 2]! - ring[0]!) * (ring[i + 1]! - ring[1]!);
  }
  return sum !== 0;
}
