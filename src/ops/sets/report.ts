import type { MadeFrom, SetVersion } from '../../domain/sets/area_set.ts';
import type { Coverage } from '../../sources/coverage/read.ts';
import type { Tiling } from '../../sources/coverage/tiling.ts';
import { countedOf, type SetOptions, type SetReport } from './set.ts';

/** Limit of the areas beside a gap that a report names. */
const MOST_BESIDE = 20;

const sumOf = (seams: readonly { readonly km2: number }[]): number => seams.reduce((sum, { km2 }) => sum + km2, 0);

const replacedOf = ({ recorded_at, made_from, areas }: SetVersion) => ({
  ...{ recorded_at, made_from: made_from as MadeFrom, areas },
});

/** What an answer says of a version. */
export function reportOf(
  { snap, snap_m, gaps, overlaps: rule, kind }: SetOptions,
  {
    read: { skipped, repaired, overlaps, notices },
    tiling,
    broken,
    replaced,
  }: {
    readonly read: Coverage;
    readonly tiling: Tiling;
    readonly broken: readonly { readonly id: string; readonly reason: string }[];
    readonly replaced: SetVersion | null;
  },
): SetReport {
  const given = {
    ...{ gaps: tiling.filled.length, gaps_km2: sumOf(tiling.filled) },
    ...{ overlaps: tiling.given.length, overlaps_km2: sumOf(tiling.given) },
    areas: countedOf(tiling.changed.map(({ id, gained, lost }) => ({ id, gained_km2: gained, lost_km2: lost }))),
  };
  const cleaned = repaired.map(({ km2Before, km2After, ...one }) => ({
    ...one,
    km2_before: km2Before,
    km2_after: km2After,
  }));
  const widened = tiling.widened.map(({ areas, km2, km2Before }) => ({
    areas: areas.slice(0, MOST_BESIDE),
    ...{ km2, km2_before: km2Before },
  }));
  return {
    options: { snap, snap_m, gaps, overlaps: rule, kind },
    ...(replaced && { replaced: replacedOf(replaced) }),
    left_out: countedOf(skipped),
    broken: countedOf(broken.map(({ id, reason }) => ({ id, reason }))),
    cleaned: countedOf(cleaned),
    overlaps: countedOf(overlaps),
    notices: notices.slice(0, 20),
    gaps: countedOf(tiling.gaps.map(({ areas, km2 }) => ({ areas: areas.slice(0, MOST_BESIDE), km2 }))),
    ...(gaps === 'keep' && rule === 'keep' ? {} : { given }),
    ...(snap === 'none'
      ? {}
      : {
          snapped: {
            tolerance_m: snap_m,
            moved: countedOf(tiling.moved),
            left: countedOf(tiling.left),
            widened: countedOf(widened),
          },
        }),
  };
}
