/**
 * What keeps areas from tiling: gaps between them and overlaps of two, as shapes with what is beside them; and who gets
 * them, by rule.
 */
import type { Coords } from '../contract.ts';
import { arcArea } from './area.ts';
import type { CoverageFeature } from './clean.ts';
import { cleanCoverage } from './clean.ts';
import { nearestShares } from './nearest.ts';
import { type Region, regionsOf } from './regions.ts';
import { type Slivers, TILES } from './slivers.ts';

/** A gap, or what two areas both have. */
export interface Seam {
  /** Of each polygon the shell, then its holes: closed rings in 1e-7 degrees. */
  readonly polygons: readonly (readonly Coords[])[];
  readonly km2: number;
  /** Indexes of the areas beside a gap, that with the longest common border first; or of the two that overlap. */
  readonly areas: readonly number[];
}

/** Keeps every overlap as it is. */
const KEPT: Slivers = { meters: 0, share: 0 };

const km2Of = (rings: readonly Coords[]): number =>
  rings.reduce((sum, ring) => sum - arcArea(ring, 0, ring.length / 2).area, 0) / 1e6;

/**
 * The gaps of areas, largest first: what areas surround and none of them has. An area within a gap is not a part of it. What
 * is open to the outside is not a gap.
 * @param features areas of a clean coverage
 */
export function gapsOf(features: readonly CoverageFeature[]): Seam[] {
  const gaps = regionsOf(features, (holders) => holders.length === 0).map(({ rings, beside }): Seam => {
    const areas = [...beside].sort(([f, m], [g, n]) => n - m || f - g).map(([f]) => f);
    return { polygons: [rings], km2: km2Of(rings), areas };
  });
  return gaps.sort((p, q) => q.km2 - p.km2);
}

/**
 * What pairs of areas both have, in the order of the pairs. The borders of all of them are followed once, however many
 * pairs an area is in.
 * @param features areas of a clean coverage
 * @param mostVertices of all shapes together; the pairs after the one that goes beyond it get no polygons
 */
export function overlapsOf(
  features: readonly CoverageFeature[],
  pairs: readonly { readonly a: number; readonly b: number; readonly km2: number }[],
  mostVertices = Infinity,
): Seam[] {
  const used = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
  const others = new Map<number, { readonly other: number; readonly pair: number }[]>(used.map((f) => [f, []]));
  for (const [pair, { a, b }] of pairs.entries()) others.get(a)?.push({ other: b, pair });
  const regions: Region[][] = pairs.map(() => []);
  const found = regionsOf(
    used.map((f) => features[f]),
    ({ length }) => length > 1,
  );
  for (const region of found) {
    const holders = new Set(region.holders.map((i) => used[i]));
    for (const f of holders) {
      for (const { other, pair } of others.get(f) ?? []) if (holders.has(other)) regions[pair].push(region);
    }
  }
  let vertices = 0;
  return pairs.map(({ a, b, km2 }, pair) => {
    const polygons = vertices > mostVertices ? [] : joined(regions[pair]).map(({ rings }) => rings);
    vertices += polygons.flat().reduce((sum, { length }) => sum + length / 2, 0);
    return { polygons, km2, areas: [a, b] };
  });
}

/** Regions as one shape: where borders of other areas divide it, its parts become one again. */
function joined(regions: readonly Region[]): readonly Region[] {
  if (regions.length < 2) return regions;
  return regionsOf([{ rings: regions.flatMap(({ rings }) => rings) }], ({ length }) => length === 1);
}

/** Gives each gap to the area with the longest common border; the borders of all others stay. */
export async function fillGaps(
  features: readonly CoverageFeature[],
  gaps: readonly Seam[],
): Promise<{ readonly rings: Coords[] }[]> {
  const given = new Map<number, Coords[]>();
  for (const { polygons, areas } of gaps) {
    const [first] = areas;
    if (first !== undefined) given.set(first, [...(given.get(first) ?? []), ...polygons.flat()]);
  }
  // A gap is beside its area: an odd number of both is the two together.
  return changedBy(features, given);
}

/**
 * Gives each place of a gap to the area whose border is nearest; the borders of all others stay, but for the vertices
 * where a dividing line meets them.
 */
export async function shareGaps(
  features: readonly CoverageFeature[],
  gaps: readonly Seam[],
): Promise<readonly { readonly rings: Coords[] }[]> {
  const holders = edgesOf(gaps);
  for (const [f, { rings }] of features.entries()) {
    for (const ring of rings) {
      for (let i = 2; i < ring.length; i += 2) {
        holders.get(edgeKey(ring[i - 2], ring[i - 1], ring[i], ring[i + 1]))?.push(f);
      }
    }
  }
  const given = new Map<number, Coords[]>();
  for (const { polygons, areas } of gaps) {
    const ownerOf = (...edge: Parameters<typeof edgeKey>) => {
      const beside = holders.get(edgeKey(...edge)) ?? [];
      return areas.find((f) => beside.includes(f));
    };
    for (const rings of polygons) {
      for (const [f, share] of await nearestShares(rings, ownerOf)) given.set(f, [...(given.get(f) ?? []), ...share]);
    }
  }
  const whole = (await cleanCoverage(await changedBy(features, given))).features;
  // Slivers that rounding leaves.
  return fillGaps(whole, gapsOf(whole));
}

/** An edge, whatever its direction. */
function edgeKey(x: number, y: number, toX: number, toY: number): string {
  return x < toX || (x === toX && y < toY) ? `${x} ${y} ${toX} ${toY}` : `${toX} ${toY} ${x} ${y}`;
}

/** The edges of gaps, each with no areas yet. */
function edgesOf(gaps: readonly Seam[]): Map<string, number[]> {
  const edges = new Map<string, number[]>();
  for (const ring of gaps.flatMap(({ polygons }) => polygons.flat())) {
    for (let i = 2; i < ring.length; i += 2) edges.set(edgeKey(ring[i - 2], ring[i - 1], ring[i], ring[i + 1]), []);
  }
  return edges;
}

/** Gives each overlap to the smaller of its areas, as slivers are given; more than eight areas in one place keep it. */
export async function shareOverlaps(features: readonly CoverageFeature[]) {
  return cleanCoverage(features, TILES);
}

/** Who gets what several areas have: the first of them, or that with the longest border of its own beside it. */
export type OverlapRule = 'first' | 'longest_border';

/**
 * Gives each part that several areas have to one of them; the borders of all others stay.
 * @param features areas of a clean coverage
 */
export async function giveOverlaps(features: readonly CoverageFeature[], rule: OverlapRule) {
  const lost = new Map<number, Coords[]>();
  for (const { holders, rings, beside } of regionsOf(features, ({ length }) => length > 1)) {
    const most = (f: number) => (rule === 'first' ? 0 : (beside.get(f) ?? 0));
    const winner = holders.reduce((best, f) => (most(f) > most(best) ? f : best));
    for (const f of holders) if (f !== winner) lost.set(f, [...(lost.get(f) ?? []), ...rings]);
  }
  return changedBy(features, lost);
}

/** Areas with an odd number of their own rings and of others. */
async function changedBy(
  features: readonly CoverageFeature[],
  others: ReadonlyMap<number, readonly Coords[]>,
): Promise<{ readonly rings: Coords[] }[]> {
  const changed: { rings: Coords[] }[] = [];
  for (const [f, { rings }] of features.entries()) {
    const more = others.get(f);
    if (more === undefined) changed.push({ rings: [...rings] });
    else changed.push({ rings: (await cleanCoverage([{ rings: [...rings, ...more] }], KEPT)).features[0].rings });
  }
  return changed;
}

/** What the second of two shapes has more and less than the first, in km2. */
export function difference(one: readonly Coords[], other: readonly Coords[]): { more: number; less: number } {
  const sums = [0, 0];
  for (const { holders, rings } of regionsOf([{ rings: one }, { rings: other }], ({ length }) => length === 1)) {
    sums[holders[0]] += km2Of(rings);
  }
  return { more: sums[1], less: sums[0] };
}

/** The area in km2 that one of two shapes has and the other has not. */
export function apart(one: readonly Coords[], other: readonly Coords[]): number {
  const { more, less } = difference(one, other);
  return more + less;
}
