import { isIn } from '../../../domain/areas/names.ts';
import { said } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { cutOf, membersOf, setOf } from '../execution/region.ts';
import type { Execute, StepContext, StepOf } from './step.ts';

/** All of its parts: one set where they are sets of whole boundaries, else a region to be overlaid. */
export const union: Execute<'union'> = async (context, step) => {
  const { run } = context;
  if (step.apart) await checkApart(context, step);
  const parts = [...new Set(step.of.map((part) => run.regionAt(part)))];
  if (parts.every((part) => part.op === 'set')) return setOf(parts.flatMap(membersOf));
  return { op: 'union', of: parts };
};

/** Checks that what is added to the first part is not in it. @throws could_not_map */
async function checkApart({ run, i }: StepContext, { of: [first = 0, ...added] }: StepOf<'union'>): Promise<void> {
  const region = run.regionAt(first);
  const [kept, cut] = [membersOf(region), cutOf(region)];
  for (const part of added) {
    for (const one of membersOf(run.regionAt(part))) {
      await run.spend(kept.length + cut.length, i);
      const isPart = (whole: ResolvedBoundary): boolean => whole.id === one.id || isIn(one, whole);
      if (!kept.some(isPart) || cut.some(isPart)) continue;
      throw run.fail(part, said`${run.quote(part)} adds ${one.name}, which is a part of ${run.quote(first)} already.`);
    }
  }
}
