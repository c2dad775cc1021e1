import { isIn } from '../../../domain/areas/names.ts';
import { said } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { cutOf, Hierarchy, membersOf, setOf } from '../execution/region.ts';
import type { Execute, StepContext, StepOf } from './step.ts';

/** All of its parts: one set where they are sets of whole boundaries, else a region to be overlaid. */
export const union: Execute<'union'> = async (context, step) => {
  const { run } = context;
  if (step.apart) await checkApart(context, step);
  else {
    await checkParts(context, step);
    await sayParts(context, step);
  }
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

/** Places of a list that are compared with each other. */
const MOST_COMPARED = 12;

/** Says which place of a list is a part of another one: "Spain and Catalonia" are no more than Spain. */
async function sayParts({ run, i }: StepContext, { of }: StepOf<'union'>): Promise<void> {
  if (of.length > MOST_COMPARED || !of.every((part) => run.stepAt(part).op === 'place')) return;
  const places = of.flatMap((part) => membersOf(run.regionAt(part)).map((one) => ({ one, part })));
  await run.spend(places.length * places.length, i);
  for (const { one, part } of places) {
    const around = places.find((other) => other.one.id !== one.id && isIn(one, other.one));
    if (around)
      run.choices.push(said`${run.quoteName(part)} is a part of ${around.one.name}, which is in the list, too`);
  }
}

/** Between two items of a list: a comma or a slash, and no word for "and". */
const DIVIDED = /^\s*[,/](?!.*(?<!\p{L})(?:and|or|y|e|o|und|oder|et|ou|plus)(?!\p{L}))[^;\n&+]*$/iu;

/** Between the first of a list and one behind it that has a bullet. */
const BULLET = /^[^\S\n]*\n[^\S\n]*[-*•·–—]/u;

/** Checks that a list behind a comma, or under a line as its heading, is not of parts of what is in front of it: "USA, Texas and Oklahoma". @throws could_not_map */
async function checkParts({ run, i }: StepContext, { of: [first = 0, ...others] }: StepOf<'union'>): Promise<void> {
  const [all, before, behind] = [run.words(i), run.words(first), run.words(others[0] ?? first)];
  // "Galicia, Lugo" is checked as a pair; "Europe, France" is none.
  const least = run.stepAt(first).op === 'group' ? 1 : 2;
  if (others.length < least || !all || !before || !behind) return;
  const between = all.text.slice(before.to - all.from, behind.from - all.from);
  if (!DIVIDED.test(between) && !BULLET.test(between)) return;
  if (![first, ...others].every((part) => ['place', 'group'].includes(run.stepAt(part).op))) return;
  const whole = new Hierarchy(membersOf(run.regionAt(first)));
  let added: ResolvedBoundary | null = null;
  for (const part of others) {
    for (const one of membersOf(run.regionAt(part))) {
      const related = whole.related(one);
      await run.spend(1 + related.length, i);
      if (!related.some((other) => other.id === one.id || isIn(one, other))) return;
      added ??= one;
    }
  }
  const [part = first] = others;
  if (added)
    throw run.fail(part, said`${run.quote(part)} adds ${added.name}, which is a part of ${run.quote(first)} already.`);
}
