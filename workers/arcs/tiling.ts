/**
 * What keeps areas from tiling: gaps between them and overlaps of two, as shapes with what is beside them; and who gets
 * them, by rule.
 */
import type { Coords } from '../contract.ts';
import { arcArea } from './area.ts';
import type { CoverageFeature } from './clean.ts';
import { cleanCoverage } from './clean.ts';
import { regionsOf } from './regions.ts';
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
 * The gaps of areas, largest first: what areas surround and none of them has. An area within a gap is no part of it. What
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

/** What pairs of areas both have, in the order of the pairs. */
export function overlapsOf(
  features: readonly CoverageFeature[],
  pairs: readonly { readonly a: number; readonly b: number; readonly km2: number }[],
): Seam[] {
  return pairs.map(({ a, b, km2 }) => {
    const both = regionsOf([features[a], features[b]], ({ length }) => length === 2);
    return { polygons: both.map(({ rings }) => rings), km2, areas: [a, b] };
  });
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
  const filled: { rings: Coords[] }[] = [];
  for (const [f, { rings }] of features.entries()) {
    const more = given.get(f);
    // A gap is beside its area: an odd number of both is the two together.
    if (more === undefined) filled.push({ rings: [...rings] });
    else filled.push({ rings: (await cleanCoverage([{ rings: [...rings, ...more] }], KEPT)).features[0].rings });
  }
  return filled;
}

/** Gives each overlap to the smaller of its areas, as slivers are given; more than eight areas in one place keep it. */
export async function shareOverlaps(features: readonly CoverageFeature[]) {
  return cleanCoverage(features, TILES);
}
