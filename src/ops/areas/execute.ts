import { computes } from '../../common/computing.ts';
import { defined } from '../../common/elements.ts';
import { Semaphore } from '../../common/semaphore.ts';
import type { Context } from '../../core/op.ts';
import { type AreaPlan, MAX_MEMBERS, PARTS, type Step } from '../../domain/areas/algebra.ts';
import type { NamePreferences } from '../../domain/areas/names.ts';
import { refsOf } from '../../domain/areas/plan_fault.ts';
import { type Sentence, said } from '../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import type { Part } from '../../domain/boundaries/land.ts';
import type { Snapshot } from '../../domain/boundaries/reads.ts';
import type { StepResult } from './execution/findings.ts';
import { PlanRun } from './execution/plan_run.ts';
import { cutOf, membersOf, type Region, sizeOf } from './execution/region.ts';
import { Meanings } from './meanings.ts';
import { executeStep } from './steps/index.ts';

/** Nodes and boundaries of a region as a tree, in which shared parts are written again wherever they are used. */
const MOST_IN_TREE = 50_000;

/** The results of a plan. */
export interface Executed {
  readonly region: Region;
  readonly found: readonly StepResult[];
  /** Sentences on what was guessed between places of nearly the same importance. */
  readonly choices: readonly Sentence[];
  /** The part of the boundaries that it is made of; absent: all. */
  readonly part?: Exclude<Part, 'all'>;
}

/** Plans that a process executes at once: they share its main thread with all other calls. */
const MOST_PLANS = 4;
/** Plans that wait for their turn; the next one is refused. */
const MOST_WAITING = 60;
const turns = new Semaphore(MOST_PLANS, MOST_WAITING);

/**
 * Executes a plan, which findPlanFault() has accepted, on one state of the data, when fewer than MOST_PLANS are.
 * @throws could_not_map; rate_limited, "server at capacity", when too many wait
 */
export function execute(
  ctx: Context,
  reading: Snapshot,
  plan: AreaPlan,
  preferences: NamePreferences,
): Promise<Executed> {
  const computed = async (): Promise<Executed> => {
    const done = computes(ctx.signal);
    try {
      return await executeSteps(new PlanRun(ctx, reading, plan, preferences));
    } finally {
      done();
    }
  };
  return turns.run(computed, { signal: ctx.signal });
}

/** Executes the steps of a plan, in order; equal steps once. */
async function executeSteps(run: PlanRun): Promise<Executed> {
  const { steps } = run.plan;
  const meanings = new Meanings(run);
  await meanings.read();
  const placeOf = (step: Step, i: number) => meanings.place(step, i);
  const first = new Map<string, number>();
  const classes: number[] = [];
  for (const [i, step] of steps.entries()) {
    const parts = new Set(refsOf(step).map((part) => run.regionAt(part)));
    await run.spend(1 + refsOf(step).length, i);
    const key = keyOf(step, classes);
    const before = key === null ? undefined : first.get(key);
    if (before !== undefined) {
      // An equal step: it has the same result.
      classes[i] = before;
      run.regions[i] = run.regionAt(before);
      run.found[i] = defined(run.found[before]);
      continue;
    }
    if (key !== null) first.set(key, i);
    classes[i] = i;
    for (const part of parts) await run.spend(membersOf(part).length, i);
    const notes: Sentence[] = [];
    const region = await executeStep({ run, i, notes, placeOf }, step);
    if (sizeOf(region) > MOST_IN_TREE)
      throw run.fail(i, said`${run.quote(i)} repeats its parts too often. Describe it with fewer steps.`);
    const members = membersOf(region);
    if (members.length === 0) throw run.fail(i, said`${run.quote(i)} is empty: no boundary fits it.`);
    if (members.length > MAX_MEMBERS) {
      throw run.fail(
        i,
        said`${run.quote(i)} has ${members.length} boundaries; at most ${MAX_MEMBERS} can be merged. Describe fewer.`,
      );
    }
    if (step.op === 'place') {
      // Names of one place are one place, unless the words matter: "the cantons of Wiltz and Clervaux".
      const same = JSON.stringify(['place', step.id === undefined ? placeWords(step) : null, members[0]?.id]);
      classes[i] = first.get(same) ?? i;
      first.set(same, classes[i]);
    }
    run.regions[i] = region;
    const meaning = meanings.foundAt(i);
    const place = step.op === 'place' ? members[0] : null;
    if (meaning) meanings.sayGuess(i, meaning);
    run.found[i] = {
      members: members.length,
      ...(place ? { place: { id: place.id, name: place.name, within: containerOf(place) } } : {}),
      ...(meaning && meaning.because !== null ? { rivals: meaning.rivals, because: meaning.because } : {}),
      ...(run.levels.has(i) ? { level: run.levels.get(i) } : {}),
      ...(notes.length > 0 ? { notes } : {}),
    };
  }
  return { region: run.regionAt(steps.length - 1), found: run.found, choices: run.choices };
}

/** The name of the innermost place that contains a boundary; a country is in none. */
const containerOf = ({ boundary }: ResolvedBoundary): string | null =>
  boundary.kind === 'country' ? null : (boundary.parents.at(-1)?.name ?? null);

/** Words of a place on which the meaning of later steps may depend. */
const placeWords = ({ name, within, level }: Extract<Step, { op: 'place' }>) => [name, within, level];

/**
 * A key that equal steps have, given the first equal step of each earlier one. Null for a place: what a name means
 * depends on the steps around it.
 */
function keyOf(step: Step, classes: readonly number[]): string | null {
  if (step.op === 'place' && step.id === undefined) return null;
  const parts = Object.entries(step).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'words' || value === undefined) return [];
    if (!(PARTS as readonly string[]).includes(name)) return [[name, value]];
    return [[name, Array.isArray(value) ? value.map((part: number) => classes[part]) : classes[value as number]]];
  });
  return JSON.stringify(parts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The boundaries in a region: those that are merged, and those that are cut out. */
export function sidesOf(region: Region): {
  readonly include: readonly ResolvedBoundary[];
  readonly exclude: readonly ResolvedBoundary[];
} {
  return { include: membersOf(region), exclude: cutOf(region) };
}
