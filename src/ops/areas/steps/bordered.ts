import { isFederalDistrict } from '../../../domain/areas/levels.ts';
import { isIn } from '../../../domain/areas/names.ts';
import type { Comparison } from '../../../domain/areas/vocabulary/comparisons.ts';
import { said } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { setOf } from '../execution/region.ts';
import { levelText, meantLevel } from './children.ts';
import { compares } from './measured.ts';
import { nearPairs } from './near.ts';
import { levelOf } from './neighbors.ts';
import { candidatesOf } from './states.ts';
import type { Execute } from './step.ts';
import { NEAR_METERS, onLand } from './touching.ts';

/**
 * Those of some boundaries that border so many others of a level, by default their own. Below countries, those of their
 * country count.
 * @throws could_not_map when they have several levels and the words name none
 */
export const bordered: Execute<'bordered'> = async (context, step) => {
  const { run, i, notes } = context;
  const of = candidatesOf(run, step.of, i);
  const asked = step.level === undefined ? null : meantLevel(run, i, step.level, of, 'beside');
  const level = asked ?? levelOf(run, run.regionAt(step.of), i);
  const reached = { meters: NEAR_METERS, apart: false, sharing: true };
  const beside = new Map<string, { one: ResolvedBoundary; nearness: number }[]>();
  for (const { one, own, nearness } of await nearPairs(run, of, { level }, reached, i)) {
    const isAbroad = one.boundary.kind !== 'country' && one.boundary.country !== own.boundary.country;
    if (isFederalDistrict(one.boundary) || isAbroad || isIn(one, own) || isIn(own, one)) continue;
    const known = beside.get(own.id);
    if (known) known.push({ one, nearness });
    else beside.set(own.id, [{ one, nearness }]);
  }
  notes.push(
    said`counted are ${levelText(level)} with a common line on land; below countries, those of the same country`,
  );
  return setOf(
    of.filter((own) => {
      const { length } = onLand([own], beside.get(own.id) ?? []).counted;
      return step.is === 'exactly' ? length === step.count : compares(length, step.is as Comparison, step.count);
    }),
  );
};
