import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { Draw, type Stored, storedOf } from '../search/made.ts';
import { isNative } from '../setup/database.ts';
import { type Composition, PHRASES } from './compositions.ts';
import { openPlanning, type PlanAnswer, type Planning } from './planned.ts';

/** Descriptions of each kind and language. */
const COUNT = 12;

type Step = Readonly<Record<string, unknown>>;

// The embedded database reads the names of a whole country too slowly for a test of this many descriptions.
describe.skipIf(!isNative)('descriptions composed by rule (needs a native database)', { timeout: 600_000 }, () => {
  const draw = new Draw();
  let planning: Planning;
  let states: Stored[];
  let counties: Stored[];
  let communities: Stored[];
  let provinces: Stored[];
  /** The smallest boundaries in each: counties of the United States, provinces of Spain. */
  const leaves = new Map<string, readonly string[]>();
  /** Names of states and communities. */
  const parents = new Map<string, string>();

  beforeAll(async () => {
    planning = await openPlanning();
    const { db } = planning.server.test;
    const all = await storedOf(db, 'US', 6);
    const divisions = [...(await storedOf(db, 'US', 4)), ...(await storedOf(db, 'ES', 4))];
    for (const { id, name } of divisions) parents.set(id, name);
    const cities = new Set(all.filter(({ kind }) => kind === 'city').map(({ name, within }) => `${name}, ${within}`));
    counties = all.filter(({ name, within, kind }) => kind === 'county' && !cities.has(`${name}, ${within}`));
    // "Washington" and "Georgia" alone are ambiguous.
    states = (await storedOf(db, 'US', 4)).filter(
      ({ id, name }) => !/^(?:Washington|Georgia|District of Columbia)$/.test(name) && inside(id, counties).length > 8,
    );
    provinces = await storedOf(db, 'ES', 6);
    communities = (await storedOf(db, 'ES', 4)).filter(({ id }) => inside(id, provinces).length > 2);
    for (const { id } of divisions)
      leaves.set(
        id,
        inside(id, [...all, ...provinces]).map((one) => one.id),
      );
  }, 600_000);
  afterAll(() => planning?.close());

  /** Those of a list that are in a state or a community. */
  const inside = (id: string, list: readonly Stored[]): readonly Stored[] =>
    list.filter(({ within }) => within === parents.get(id));
  const leavesOf = (id: string): readonly string[] => leaves.get(id) ?? [id];

  /** What the steps of a plan cover, in leaves; null where one cuts. */
  function coverOf(steps: readonly Step[], i = steps.length - 1): Set<string> | null {
    const step = defined(steps[i]);
    const sub = (part: unknown): Set<string> | null => coverOf(steps, part as number);
    switch (step.op) {
      case 'place':
        return new Set(leavesOf(step.id as string));
      case 'union': {
        const parts = (step.of as number[]).map(sub);
        return parts.includes(null) ? null : new Set(parts.flatMap((part) => [...(part ?? [])]));
      }
      case 'difference': {
        const [of, minus] = [sub(step.of), sub(step.minus)];
        return of && minus && new Set([...of].filter((id) => !minus.has(id)));
      }
      default:
        return null;
    }
  }

  function isRight(plan: PlanAnswer, { include, exclude }: Composition): boolean {
    const out = new Set(exclude.flatMap(({ id }) => leavesOf(id)));
    const wanted = new Set(include.flatMap(({ id }) => leavesOf(id)).filter((id) => !out.has(id)));
    const found =
      coverOf(plan.steps as readonly Step[]) ??
      new Set(
        plan.include.flatMap(({ id }) => leavesOf(id)).filter((id) => !plan.exclude.some((one) => one.id === id)),
      );
    return found.size === wanted.size && [...wanted].every((id) => found.has(id));
  }

  it('are never silently wrong, and nine in ten are right', async () => {
    const wrong: string[] = [];
    const refused: string[] = [];
    let count = 0;
    for (const compose of PHRASES) {
      for (let i = 0; i < COUNT; i++) {
        const made = compose({ draw, states, communities, inside: (id) => inside(id, [...counties, ...provinces]) });
        count++;
        const plan = await planning.plan(made.text);
        if (plan === null) refused.push(made.text);
        else if (!isRight(plan, made)) wrong.push(`${made.text} => ${plan.reading}`);
      }
    }
    expect(wrong, `MADE_SEED=${draw.seed}`).toEqual([]);
    expect(refused.length / count, `MADE_SEED=${draw.seed}\n${refused.join('\n')}`).toBeLessThanOrEqual(0.1);
  });
});
