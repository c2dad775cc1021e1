/**
 * Snaps the borders of areas to official ones: where a border runs along an official one within a tolerance, it takes the
 * vertices of that one exactly. A segment of a border is replaced by the shortest way along official borders between the
 * places of its ends, if all of the way is within the tolerance of the segment. Every segment and every vertex is decided
 * once, for all areas that have it: so neighbors still match.
 */
import type { Coords } from '../contract.ts';
import { type CoverageFeature, cleanCoverage, UnsettledError } from './clean.ts';
import { Ints, Linework } from './clean_lines.ts';
import { METERS_PER_UNIT } from './levels.ts';
import { type BorderPoint, fromSegment, OfficialBorders, widthAt } from './official_borders.ts';
import { apart, gapsOf } from './tiling.ts';
import { type Widened, widenedGaps } from './widened.ts';

/** What snapping did. */
export interface Snapped {
  /** In the given order. */
  readonly features: readonly { readonly rings: Coords[] }[];
  /** Areas whose border was moved: how much of the earth is in one of the two borders only. */
  readonly moved: readonly { readonly feature: number; readonly km2: number }[];
  /**
   * Areas that would have been snapped, and are left as they were, because they or a neighbor would not stay whole, or a
   * narrow gap beside them would become larger.
   */
  readonly left: readonly number[];
  /** Wider gaps that became larger. */
  readonly widened: readonly Widened[];
}

/** How often areas that would not stay whole are left out, before all are. */
const MOST_ROUNDS = 5;
/** A way along official borders may be so much longer than the segment that it replaces, and so many tolerances. */
const LONGER = { share: 2, tolerances: 4 };
/** A gap that is narrower on average than so many tolerances is not meant: its sides would be one border. */
const NARROW = 2;

/**
 * Snaps a clean coverage.
 * @param chains official borders, as chains of vertices
 * @param meters the tolerance
 * @returns areas of which each is as whole as before, without new overlaps and without larger narrow gaps
 */
export async function snapBorders(
  features: readonly { readonly rings: readonly Coords[] }[],
  chains: readonly Coords[],
  meters: number,
): Promise<Snapped> {
  const official = new OfficialBorders(chains);
  const frozen = new Set<number>();
  const known = overlapsOf(await cleanCoverage(features));
  const gaps = gapsOf(features);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const taken = take(features, official, meters, frozen);
    const cleaned = await settled(cleanCoverage(taken));
    const widened = cleaned && (await settled(widenedGaps(gaps, gapsOf(cleaned.features))));
    if (cleaned === null || widened === null) break;
    const failing = failed(features, taken, cleaned, known);
    for (const one of widened) {
      if (!isNarrow(one, meters)) continue;
      for (const f of one.gaps.flatMap(({ areas }) => areas)) if (taken[f].isTaken) failing.add(f);
    }
    if (failing.size === 0) return { ...result(features, cleaned.features, taken, frozen), widened };
    for (const f of failing) frozen.add(f);
  }
  const touched = take(features, official, meters, new Set());
  const left = [...features.keys()].filter((f) => touched[f].isTaken);
  return { features: features.map(({ rings }) => ({ rings: [...rings] })), moved: [], left, widened: [] };
}

function isNarrow({ gaps, km2 }: Widened, meters: number): boolean {
  const around = gaps.reduce((sum, { polygons }) => sum + alongMeters(polygons.flat(), []).all, 0);
  return (2 * km2 * 1e6) / around < NARROW * meters;
}

/** What is made of cleaned areas; null where their crossings do not settle. */
async function settled<T>(made: Promise<T>): Promise<T | null> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof UnsettledError) return null;
    throw error;
  }
}

type Cleaned = Awaited<ReturnType<typeof cleanCoverage>>;

const overlapsOf = ({ overlaps }: Cleaned): ReadonlyMap<string, number> =>
  new Map(overlaps.map(({ a, b, km2 }) => [`${a} ${b}`, km2]));

/** Areas that are not as whole as before: another number of rings, or a new overlap. */
function failed(
  before: readonly { readonly rings: readonly Coords[] }[],
  taken: readonly Taken[],
  { features, repairs, overlaps }: Cleaned,
  known: ReadonlyMap<string, number>,
): Set<number> {
  const failing = new Set<number>();
  for (const [f, { rings }] of features.entries()) {
    if (taken[f].isTaken && rings.length !== before[f].rings.length) failing.add(f);
  }
  for (const { feature, reasons } of repairs) {
    if (taken[feature].isTaken && reasons.includes('rings')) failing.add(feature);
  }
  for (const { a, b, km2 } of overlaps) {
    const was = known.get(`${a} ${b}`) ?? 0;
    // A known overlap changes with its borders; it must not become another one.
    if (km2 <= 1.1 * was + 1e-9) continue;
    for (const f of [a, b]) if (taken[f].isTaken) failing.add(f);
  }
  return failing;
}

function result(
  before: readonly { readonly rings: readonly Coords[] }[],
  features: readonly { readonly rings: Coords[] }[],
  taken: readonly Taken[],
  frozen: ReadonlySet<number>,
): Omit<Snapped, 'widened'> {
  const moved: { feature: number; km2: number }[] = [];
  for (const [f, { rings }] of features.entries()) {
    if (!taken[f].isTaken) continue;
    const km2 = apart(before[f].rings, rings);
    if (km2 > 0) moved.push({ feature: f, km2 });
  }
  return { features, moved, left: [...frozen].sort((a, b) => a - b) };
}

/** An area with what it took from official borders. */
interface Taken extends CoverageFeature {
  readonly rings: Coords[];
  readonly isTaken: boolean;
}

/** Replaces the segments that run along official borders; those of frozen areas, and their vertices, stay. */
function take(
  features: readonly { readonly rings: readonly Coords[] }[],
  official: OfficialBorders,
  meters: number,
  frozen: ReadonlySet<number>,
): Taken[] {
  const all = features.flatMap(({ rings }) => rings);
  const lines = new Linework(all);
  const fixed = new Set<number>();
  /** Per vertex, how many segments end there, and how many of them are replaced. */
  const degree = new Ints();
  for (const [f, { rings }] of features.entries()) {
    for (const ring of rings) {
      for (let i = 0; i < ring.length; i += 2) {
        const v = lines.vertex(ring[i], ring[i + 1]);
        if (frozen.has(f)) fixed.add(v);
        if (i === 0) continue;
        const u = lines.vertex(ring[i - 2], ring[i - 1]);
        if (u !== v) lines.segment(u, v);
      }
    }
  }
  const count = lines.x.length;
  while (degree.length < 2 * count) degree.push(0);
  const places = new Map<number, BorderPoint | null>();
  const placeOf = (v: number): BorderPoint | null => {
    if (fixed.has(v)) return null;
    let place = places.get(v);
    if (place === undefined) {
      place = official.nearest(lines.x.data[v], lines.y.data[v], meters);
      places.set(v, place);
    }
    return place;
  };
  const ways = new Map<number, readonly number[]>();
  for (let s = 0; s < lines.a.length; s++) {
    const [a, b] = [lines.a.data[s], lines.b.data[s]];
    degree.data[2 * a]++;
    degree.data[2 * b]++;
    const [from, to] = [placeOf(a), placeOf(b)];
    if (from === null || to === null) continue;
    const ends = [lines.x.data[a], lines.y.data[a], lines.x.data[b], lines.y.data[b]] as const;
    const length = Math.hypot((ends[2] - ends[0]) * widthAt(ends[1]), (ends[3] - ends[1]) * METERS_PER_UNIT);
    const longest = LONGER.share * length + LONGER.tolerances * meters;
    const way = official.way(from, to, ends, { meters, longest });
    if (way === null) continue;
    ways.set(s, way);
    degree.data[2 * a + 1]++;
    degree.data[2 * b + 1]++;
  }
  return features.map(({ rings }, f): Taken => {
    if (frozen.has(f)) return { rings: [...rings], isTaken: false };
    let isTaken = false;
    const made = rings.map((ring) => {
      const to = ringAlong(ring, { lines, official, ways, places, degree });
      if (to !== ring) isTaken = true;
      return to;
    });
    return { rings: made.filter((ring) => ring.length >= 8), isTaken };
  });
}

interface Decided {
  readonly lines: Linework;
  readonly official: OfficialBorders;
  readonly ways: ReadonlyMap<number, readonly number[]>;
  readonly places: ReadonlyMap<number, BorderPoint | null>;
  readonly degree: Ints;
}

/** A ring with the ways in place of its segments; the same one if none is replaced. */
function ringAlong(ring: Coords, { lines, official, ways, places, degree }: Decided): Coords {
  const out: [number, number][] = [];
  const put = (x: number, y: number): void => {
    const last = out.at(-1);
    if (last?.[0] === x && last[1] === y) return;
    out.push([x, y]);
    // There and back again is not a border.
    for (let n = out.length; n >= 3 && out[n - 1][0] === out[n - 3][0] && out[n - 1][1] === out[n - 3][1]; n -= 2) {
      out.length = n - 2;
    }
  };
  let isChanged = false;
  for (let i = 0; i + 2 < ring.length; i += 2) {
    const u = lines.vertex(ring[i], ring[i + 1]);
    const v = lines.vertex(ring[i + 2], ring[i + 3]);
    const isKept = degree.data[2 * u + 1] === 0;
    // A vertex at which only official borders go on is not one of theirs.
    const isDropped = degree.data[2 * u] === 2 && degree.data[2 * u + 1] === 2;
    const place = places.get(u);
    if (isKept || place === undefined || place === null) put(ring[i], ring[i + 1]);
    else if (!isDropped || place.from === place.to) put(place.x, place.y);
    const way = u === v ? undefined : ways.get(lines.segment(u, v));
    if (way === undefined) continue;
    isChanged = true;
    const forward = u < v ? way : [...way].reverse();
    for (const w of forward) put(...official.vertex(w));
  }
  if (!isChanged && out.length + 1 === ring.length / 2) {
    if (out.every(([x, y], k) => ring[2 * k] === x && ring[2 * k + 1] === y)) return ring;
  }
  trimEnds(out);
  const closed = Int32Array.from([...out, ...out.slice(0, 1)].flat());
  const isSame = closed.length === ring.length && closed.every((value, k) => value === ring[k]);
  return isSame ? ring : closed;
}

/** Takes away what a ring goes there and back again across its first vertex. */
function trimEnds(out: [number, number][]): void {
  const same = (p: [number, number] | undefined, q: [number, number] | undefined) =>
    p?.[0] === q?.[0] && p?.[1] === q?.[1];
  while (out.length >= 3) {
    if (same(out.at(-1), out[0])) out.pop();
    else if (same(out.at(-1), out[1])) out.shift();
    else if (same(out.at(-2), out[0])) out.pop();
    else return;
  }
}

/** The part of the border of rings that runs exactly along chains, in meters, and all of it. */
export function alongMeters(rings: readonly Coords[], chains: readonly Coords[]): { along: number; all: number } {
  const own = (x1: number, y1: number, x2: number, y2: number) =>
    x1 < x2 || (x1 === x2 && y1 < y2) ? `${x1} ${y1} ${x2} ${y2}` : `${x2} ${y2} ${x1} ${y1}`;
  const known = new Set<string>();
  for (const chain of chains) {
    for (let i = 2; i < chain.length; i += 2) known.add(own(chain[i - 2], chain[i - 1], chain[i], chain[i + 1]));
  }
  const sums = { along: 0, all: 0 };
  for (const ring of rings) {
    for (let i = 2; i < ring.length; i += 2) {
      const meters = fromSegment(ring[i - 2], ring[i - 1], [ring[i], ring[i + 1], ring[i], ring[i + 1]]).meters;
      sums.all += meters;
      if (known.has(own(ring[i - 2], ring[i - 1], ring[i], ring[i + 1]))) sums.along += meters;
    }
  }
  return sums;
}
