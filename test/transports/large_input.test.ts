import { expect, it } from 'vitest';
import { z } from 'zod';
import { ProblemError } from '../../src/core/errors.ts';
import { parseInput } from '../../src/core/input.ts';
import { isLarge, parseLargeInput } from '../../src/core/large_input.ts';
import { ops } from '../../src/ops/index.ts';
import { Draw } from '../search/made.ts';

const many = <T>(count: number, one: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => one(i));
const groups = (member: (i: number) => unknown, size = 10) =>
  Object.fromEntries(many(900, (g) => [`group ${g}`, many(size, (i) => member(size * g + i))]));
const id = (i: number) => `r${1 + i}`;
/** Large inputs of operations that have long lists or groups: right ones, and wrong in each value, or in one. */
const inputs: Readonly<Record<string, readonly object[]>> = {
  match_names: [
    { rows: many(3_000, (i) => ({ name: `n${i}`, within: ['a', 'b'], type: null })) },
    { rows: many(3_000, () => ({ name: 1, code: 1, within: 1, type: 1 })) },
    { rows: many(3_000, (i) => (i === 2_900 ? { name: 'x', zz: 1 } : { name: 'x' })) },
    { rows: many(3_000, (i) => ({ name: i === 2_999 ? 'a\0b' : 'x' })), country: 'Spain', unknown: 4 },
    { rows: many(10_001, () => ({ name: 'x' })), decide: 'column' },
  ],
  dissolve: [
    { groups: groups(id), format: 'csv' },
    { groups: { one: many(5_000, id) }, within: 'ES' },
    { groups: groups(() => 1) },
    { groups: { ...groups(id), '': ['r1'] } },
  ],
  crosswalk: [
    { a: many(3_000, id), b: { country: 'ES', admin_level: 8 } },
    { a: many(3_000, () => 1), b: ['r1'] },
  ],
  locate_points: [
    { points: many(3_000, () => [1, 2]) },
    { points: many(3_000, (i) => (i === 1_500 ? [1, 200] : [1, 2])) },
  ],
  create_area_set: [
    { name: 'x', groups: groups(id) },
    { name: 'X X', groups: groups(() => []) },
  ],
  create_job: [
    { op: 'dissolve', input: { groups: groups(id) } },
    { op: 'nothing', input: { groups: groups(id), more: '\ud800' } },
  ],
};

/** What validation of an input gives: the input, or the first issue with the number of all. */
async function outcome(parse: () => unknown) {
  try {
    return { input: await parse() };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { code: error.code, issues: error.extra.issues as { path: string }[] };
  }
}

it.each(Object.keys(inputs))('%s: long lists in pieces as at once', async (name) => {
  const schema = ops.find((op) => op.name === name)?.input as z.ZodObject;
  for (const input of inputs[name] as readonly object[]) {
    expect(isLarge(input)).toBe(true);
    const whole = await outcome(() => parseInput(schema, input));
    const pieces = await outcome(() => parseLargeInput(schema, input));
    expect(pieces.input).toEqual(whole.input);
    expect(pieces.code).toBe(whole.code);
    // A union that one sort of value can be names the value within it that is wrong.
    const places = (some: typeof whole) =>
      new Set(some.issues?.map(({ path }) => path.split('.').slice(0, 2).join('.')));
    const [at, places2] = [places(whole), places(pieces)];
    for (const place of places2)
      expect(
        [...at].some((one) => place.startsWith(one)),
        place,
      ).toBe(true);
    expect(pieces.issues?.length ?? 0).toBeLessThanOrEqual(50);
  }
});

it('gives others turns', async () => {
  const schema = z.strictObject({ list: z.array(z.string()).max(50_000) });
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await parseLargeInput(schema, { list: many(50_000, String) });
  isDone = true;
  expect(turns).toBeGreaterThan(50);
  const before = turns;
  isDone = false;
  setImmediate(count);
  await expect(parseLargeInput(schema, { list: many(50_000, Number) })).rejects.toThrow();
  isDone = true;
  // The first pieces have as many issues as an answer.
  expect(turns - before).toBeLessThan(10);
});

it('gives what parseInput() gives for any lists, records and unions', async () => {
  const draw = new Draw();
  const item = z.strictObject({
    a: z.string().max(3).optional(),
    b: z.union([z.int(), z.array(z.string()).min(1)]).optional(),
  });
  const schema = z.strictObject({
    list: z.array(item).min(1).max(2_000).optional(),
    record: z.record(z.string().min(1), z.union([z.array(z.string()), z.strictObject({ of: z.string() })])).optional(),
    any: z.unknown().optional(),
    word: z.string().default('none'),
  });
  const value = () => draw.one([{ a: 'x' }, { a: 'x', b: 3 }, { b: ['a'] }, {}]);
  const wrong = () => draw.one([{ a: 'long' }, { b: [] }, { c: 1 }, 7, { a: null }]);
  for (let round = 0; round < 40; round++) {
    const at = draw.below(4) === 0 ? draw.below(1_000) : -1;
    const input = {
      list: many(1_000 + draw.below(500), (i) => (i === at ? wrong() : value())),
      ...(draw.below(2) === 0 && {
        record: Object.fromEntries(many(600, (i) => [`k${i}`, draw.below(900) === 0 ? 4 : ['a', 'b']])),
      }),
      ...(draw.below(2) === 0 && { any: many(3_000, (i) => ({ i, text: 'é' })) }),
      ...(draw.below(5) === 0 && { word: 4 }),
    };
    const whole = await outcome(() => parseInput(schema, input));
    const pieces = await outcome(() => parseLargeInput(schema, input));
    expect(pieces.input, `seed ${draw.seed}`).toEqual(whole.input);
    const sorted = (some: typeof whole) => some.issues?.map(({ path }) => path).sort();
    expect(sorted(pieces), `seed ${draw.seed}`).toEqual(sorted(whole));
  }
});

it.each(['in a record', 'in a list'])('reads a large value apart from the small one before it: %s', async (where) => {
  let reads = 0;
  let most = 0;
  let isDone = false;
  const large = new Proxy(
    many(20_000, (i) => [i]),
    {
      get(target, key) {
        reads++;
        most = Math.max(most, reads);
        return Reflect.get(target, key);
      },
    },
  );
  const turn = (): void => {
    reads = 0;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  const schema = z.strictObject({ input: z.record(z.string(), z.unknown()), list: z.array(z.unknown()).optional() });
  const given = where === 'in a record' ? { input: { a: 1, large } } : { input: {}, list: [1, large] };
  await parseLargeInput(schema, given);
  isDone = true;
  expect(most).toBeLessThan(10_000);
});
