import type { Step } from '../../../domain/areas/algebra.ts';
import { isIn } from '../../../domain/areas/names.ts';
import { said } from '../../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../../domain/boundaries/boundary.ts';
import { citiesOf } from '../../../domain/names/cities.ts';
import { foldName } from '../../../domain/names/fold.ts';
import { homeAt } from '../city_homes.ts';
import { boxesMeet } from '../execution/boxes.ts';
import type { PlanRun } from '../execution/plan_run.ts';
import { areSiblings, Hierarchy, membersOf, setOf } from '../execution/region.ts';
import { overlap } from './overlap.ts';
import type { Execute, StepOf } from './step.ts';

/**
 * A region without another one: a set where whole boundaries are taken out of a set, else a region to be overlaid.
 * @throws could_not_map when nothing is left, or when nothing of what is taken out is in it
 */
export const difference: Execute<'difference'> = async ({ run, i, notes }, step) => {
  const of = run.regionAt(step.of);
  const minus = run.regionAt(step.minus);
  const [wholes, cuts] = [membersOf(of), membersOf(minus)];
  await checkLeftOut(run, step, cuts);
  const removed = new Set<string>();
  const inside: ResolvedBoundary[] = [];
  const outside: ResolvedBoundary[] = [];
  const hierarchy = new Hierarchy(wholes);
  for (const cut of cuts) {
    const related = hierarchy.related(cut);
    await run.spend(1 + related.length, i);
    for (const whole of related) if (whole.id === cut.id || isIn(whole, cut)) removed.add(whole.id);
    const within = related.some((whole) => isIn(cut, whole));
    if (within) inside.push(cut);
    if (related.length > 0) continue;
    await run.spend(wholes.length, i);
    const doubtful = wholes.filter((whole) => boxesMeet(whole, cut) && !areSiblings(whole, cut));
    if (doubtful.length > 0 && (await overlap(run, doubtful, cut))) {
      inside.push(cut);
      notes.push(said`${cut.name} is partly in it`);
      continue;
    }
    outside.push(cut);
  }
  const [first] = outside;
  const group = run.stepAt(step.minus).op === 'group';
  if (group && first && outside.length === cuts.length)
    run.choices.push(said`no member of ${run.quoteName(step.minus)} is part of ${run.quoteBase(i)}`);
  else if (first && outside.length === cuts.length && !areBesideAll(cuts, wholes))
    throw run.fail(
      step.minus,
      said`${run.quote(step.minus)} takes out ${first.name} (${first.id}), which is not part of ${run.quoteBase(i)}.`,
    );
  // "Texas without Harris County and Oklahoma" may add Oklahoma.
  let stray = outside.find(({ admin_level }) => !inside.some((one) => one.admin_level === admin_level));
  if (inside.length > 0 && !group)
    for (const cut of outside.slice(0, MOST_OUTSIDE))
      if (stray === undefined && (await isNamesake(run, cut, wholes))) stray = cut;
  if (stray && !group && inside.length > 0 && run.stepAt(step.minus).op === 'union')
    throw run.fail(
      step.minus,
      said`${run.quote(step.minus)} takes out ${stray.name}, which is not part of ${run.quoteBase(i)}; to add it, write it in front, or behind "plus".`,
    );
  if (first && !group)
    run.choices.push(
      said`${outside.map(({ name }) => name).join(', ')}: excluded, but not part of ${run.quoteBase(i)}`,
    );
  if (removed.size > 0) checkRank(run, i, step);
  if (of.op !== 'set' || minus.op !== 'set') {
    if (of.op === 'set' && removed.size === wholes.length && minus.op === 'set') throw run.nothing(i);
    return { op: 'difference', of, minus };
  }
  const left = wholes.filter(({ id }) => !removed.has(id));
  if (left.length === 0) throw run.nothing(i);
  const open: ResolvedBoundary[] = [];
  for (const cut of inside) {
    const at = left.findIndex((whole) => !areSiblings(whole, cut));
    await run.spend(at < 0 ? left.length : at, i);
    if (at >= 0) open.push(cut);
  }
  const openIds = new Set(open.map(({ id }) => id));
  return open.length === 0
    ? setOf(left)
    : {
        op: 'difference',
        of: setOf(left),
        minus: setOf(cuts.filter(({ id }) => !removed.has(id) || openIds.has(id))),
      };
};

/** Whether all that is taken out are of the level of a list, which none of them is in: "Ghana and Togo, but not Nigeria". */
function areBesideAll(cuts: readonly ResolvedBoundary[], wholes: readonly ResolvedBoundary[]): boolean {
  const [whole] = wholes;
  const isBeside = ({ admin_level, boundary }: ResolvedBoundary): boolean =>
    admin_level === whole?.admin_level &&
    (boundary.kind === 'country' || boundary.country === whole.boundary.country) &&
    boundary.kind === whole.boundary.kind;
  return wholes.length > 1 && [...cuts, ...wholes].every(isBeside);
}

/** Whether a place that is not in some others is abroad, or there is a city of its name in them: "Nevada except Clark and Reno". */
async function isNamesake(run: PlanRun, cut: ResolvedBoundary, wholes: readonly ResolvedBoundary[]): Promise<boolean> {
  const { kind, country } = cut.boundary;
  if (kind === 'country' || country === null || cut.admin_level === null) return false;
  if (!wholes.some(({ boundary }) => boundary.country === country)) return true;
  for (const city of citiesOf(country, foldName(cut.name)).slice(0, MOST_CITIES)) {
    const home = await homeAt(run, { ...city, country }, cut.admin_level);
    if (home !== null && wholes.some((whole) => home.id === whole.id || isIn(home, whole))) return true;
  }
  return false;
}
/** Places outside, and cities of the name of each, that are looked at. */
const MOST_OUTSIDE = 10;
const MOST_CITIES = 8;

/**
 * Refuses what is left out of a rank, of which it is a part: "the three largest countries of Europe without Russia" are two,
 * or three others. Brackets and a minus sign say that it is taken from the result. @throws could_not_map
 */
function checkRank(run: PlanRun, i: number, { of }: Extract<Step, { op: 'difference' }>): void {
  const [whole, ranked] = [run.words(i), run.words(of)];
  if (run.stepAt(of).op !== 'rank' || whole === null || ranked === null) return;
  const behind = whole.text.slice(ranked.to - whole.from).trimStart();
  if (!/^\p{L}|^,/u.test(behind) || /^(?:minus|menos|moins|less)(?!\p{L})/iu.test(behind)) return;
  throw run.fail(
    i,
    said`${run.quote(i)} leaves a place out of those that are ranked, or out of the result; write "not counting" for the first, and brackets around the rank for the other.`,
  );
}

/** Checks that not all of what is taken out is left out already: "Spain except Catalonia, but not Girona". @throws could_not_map */
async function checkLeftOut(
  run: PlanRun,
  { of, minus }: StepOf<'difference'>,
  cuts: readonly ResolvedBoundary[],
): Promise<void> {
  const before = run.stepAt(of);
  const [first] = cuts;
  if (before.op !== 'difference' || !first) return;
  const out = new Hierarchy(membersOf(run.regionAt(before.minus)));
  for (const cut of cuts) {
    const related = out.related(cut);
    await run.spend(1 + related.length, minus);
    if (!related.some((one) => one.id === cut.id || isIn(cut, one))) return;
  }
  throw run.fail(
    minus,
    said`${run.quote(minus)} takes out ${first.name}, which is left out already; to keep it, write "but with" in front of it.`,
  );
}
