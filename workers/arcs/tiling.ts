/**
 * What keeps areas from tiling: gaps between them and overlaps of two, as shapes with what is beside them; and who gets
 * them, by rule.
 */
import type { Coords } from '../contract.ts';
import { arcArea } from './area.ts';
import type { CoverageFeature } from './clean.ts';
import { cleanCoverage, dissolve } from './clean.ts';
import { METERS_PER_UNIT } from './levels.ts';
import { widthAt } from './official_borders.ts';
import { type Slivers, TILES } from './slivers.ts';

/** A gap, or what two areas both have. */
export interface Seam {
  readonly rings: readonly Coords[];
  readonly km2: number;
  /** Indexes of the areas beside a gap, that with the longest common border first; or of the two that overlap. */
  readonly areas: readonly number[];
}

/** Keeps every overlap as it is. */
const KEPT: Slivers = { meters: 0, share: 0 };

const signed = (ring: Coords): number => -arcArea(ring, 0, ring.length / 2).area / 1e6;
const edgeKey = (ring: Coords, i: number): string => {
  const [a, b, c, d] = [ring[i - 2], ring[i - 1], ring[i], ring[i + 1]];
  return a < c || (a === c && b < d) ? `${a} ${b} ${c} ${d}` : `${c} ${d} ${a} ${b}`;
};
const lengthOf = (ring: Coords, i: number): number =>
  Math.hypot((ring[i] - ring[i - 2]) * widthAt(ring[i + 1]), (ring[i + 1] - ring[i - 1]) * METERS_PER_UNIT);

/**
 * The gaps of areas: holes of all of them together, largest first. What is open to the outside is not a gap.
 * @param features areas of a clean coverage
 */
export async function gapsOf(features: readonly CoverageFeature[]): Promise<Seam[]> {
  const merged = await dissolve(features);
  const holes = merged.filter((ring) => signed(ring) < 0);
  if (holes.length === 0) return [];
  const holeOf = new Map<string, number>();
  for (const [h, ring] of holes.entries()) for (let i = 2; i < ring.length; i += 2) holeOf.set(edgeKey(ring, i), h);
  const beside = holes.map(() => new Map<number, number>());
  for (const [f, { rings }] of features.entries()) {
    for (const ring of rings) {
      for (let i = 2; i < ring.length; i += 2) {
        const h = holeOf.get(edgeKey(ring, i));
        if (h !== undefined) beside[h].set(f, (beside[h].get(f) ?? 0) + lengthOf(ring, i));
      }
    }
  }
  const gaps = holes.map((ring, h): Seam => {
    const areas = [...beside[h]].sort(([f, m], [g, n]) => n - m || f - g).map(([f]) => f);
    return { rings: [ring], km2: -signed(ring), areas };
  });
  return gaps.sort((p, q) => q.km2 - p.km2);
}

/** What pairs of areas both have, in the order of the pairs. */
export async function overlapsOf(
  features: readonly CoverageFeature[],
  pairs: readonly { readonly a: number; readonly b: number; readonly km2: number }[],
): Promise<Seam[]> {
  const seams: Seam[] = [];
  for (const { a, b, km2 } of pairs) {
    const [one, other] = [features[a].rings, features[b].rings];
    // What an odd number of the two and of their union has, is what both have.
    const whole = await dissolve([{ rings: one }, { rings: other }]);
    const [both] = (await cleanCoverage([{ rings: [...whole, ...one, ...other] }], KEPT)).features;
    seams.push({ rings: both.rings, km2, areas: [a, b] });
  }
  return seams;
}

/** Gives each gap to the area with the longest common border; the borders of all others stay. */
export async function fillGaps(
  features: readonly CoverageFeature[],
  gaps: readonly Seam[],
): Promise<{ readonly rings: Coords[] }[]> {
  const given = new Map<number, Coords[]>();
  for (const { rings, areas } of gaps) {
    const [first] = areas;
    if (first !== undefined) given.set(first, [...(given.get(first) ?? []), ...rings]);
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
