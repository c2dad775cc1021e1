/** Gaps that became larger. */
import { cleanCoverage } from './clean.ts';
import { regionsOf } from './regions.ts';
import type { Seam } from './tiling.ts';

/** Gaps in one place after a change, larger in all than those that were there before. */
export interface Widened {
  readonly gaps: readonly Seam[];
  readonly km2: number;
  readonly km2Before: number;
}

/** A gap that grows by less is the same, in km2: a square meter. */
const SAME = 1e-6;

/**
 * The gaps that became larger, largest first. Gaps before and after are in one place where they overlap, be it by way of
 * others: one that is divided is not larger.
 */
export async function widenedGaps(before: readonly Seam[], after: readonly Seam[]): Promise<Widened[]> {
  if (after.length === 0) return [];
  const all = [...before, ...after];
  const drawn = all.map(({ polygons }, i) => ({ rings: polygons.flat(), layer: i < before.length ? 0 : 1 }));
  const { features } = await cleanCoverage(drawn, { meters: 0, share: 0 });
  const place = all.map((_, i) => i);
  const find = (i: number): number => {
    while (place[i] !== i) i = place[i] = place[place[i]];
    return i;
  };
  for (const { holders } of regionsOf(features, ({ length }) => length === 2))
    place[find(holders[0])] = find(holders[1]);
  const places = new Map<number, { gaps: Seam[]; km2: number; km2Before: number }>();
  for (const [i, one] of all.entries()) {
    const at = places.get(find(i)) ?? { gaps: [], km2: 0, km2Before: 0 };
    places.set(find(i), at);
    if (i < before.length) at.km2Before += one.km2;
    else {
      at.gaps.push(one);
      at.km2 += one.km2;
    }
  }
  const wider = [...places.values()].filter(({ km2, km2Before }) => km2 > km2Before + SAME);
  return wider.sort((p, q) => q.km2 - p.km2);
}
