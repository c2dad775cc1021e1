import type { Level } from '../../../domain/areas/algebra.ts';
import { countriesOfWord } from '../../../domain/areas/levels.ts';
import { said } from '../../../domain/areas/wording/said.ts';
import type { PlanRun } from '../execution/plan_run.ts';
import { membersOf, type Region, setOf } from '../execution/region.ts';
import { meantLevel } from './children.ts';
import type { Execute } from './step.ts';
import { bordering } from './touching.ts';

/** The boundaries of a level, by default its own, that border a place. */
export const neighbors: Execute<'neighbors'> = async (context, step) => {
  const { run, i } = context;
  const of = run.regionAt(step.of);
  const level =
    step.level === undefined ? levelOf(run, of, i) : meantLevel(run, i, step.level, membersOf(of), 'beside');
  const found = await bordering(context, of, { level });
  // "Bundesländer" beside Poland are in Germany, and not in Russia.
  const countries = countriesOfWord(run.words(i)?.text ?? '');
  return setOf(found.filter(({ boundary }) => countries === null || countries.includes(boundary.country ?? '')));
};

/** The admin level that all boundaries of a region have. @throws could_not_map when they have several */
export function levelOf(run: PlanRun, region: Region, i: number): Level {
  const levels = new Set(membersOf(region).map(({ admin_level }) => admin_level));
  const [level] = levels;
  if (levels.size !== 1 || level === null || level === undefined) {
    throw run.fail(i, said`${run.quote(i)} does not say which level of neighbors.`);
  }
  return level;
}
