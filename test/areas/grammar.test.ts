import { describe, expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import {
  COMPARED,
  DIRECTIONS,
  type Expression,
  LEVEL_WORDS,
  planSchema,
  toPlan,
  withoutWords,
} from '../../src/domain/areas/algebra.ts';
import { DescriptionError } from '../../src/domain/areas/description_error.ts';
import { parseDescription } from '../../src/domain/areas/parse.ts';
import { findPlanFault } from '../../src/domain/areas/plan_fault.ts';
import { toEnglish, toExpression } from '../../src/domain/areas/say.ts';
import { toReading } from '../../src/domain/areas/wording/reading.ts';
import { LANGUAGES, type Language } from '../../src/domain/areas/wording/said.ts';
import { readModelPlan } from '../../src/ops/areas/planner.ts';

const NAMES = [
  'Vaduz',
  'Trinidad and Tobago',
  'Castilla y León',
  'Texas',
  'New South Wales',
  "L'Hospitalet de Llobregat",
];
const FOLDED = new Set([
  'vaduz',
  'trinidad and tobago',
  'castilla y leon',
  'texas',
  'new south wales',
  'lhospitalet de llobregat',
]);
const lexicon = { has: (name: string) => FOLDED.has(name), relation: () => null };

/** Random whole numbers that are the same in every run. */
function randomOf(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A random well-formed expression of at most so many levels. */
function made(random: (below: number) => number, depth: number, language: Language): Expression {
  const pick = <T>(list: readonly T[]): T => defined(list[random(list.length)]);
  const part = () => made(random, depth - 1, language);
  const level = () => pick(LEVEL_WORDS);
  const km = () => pick([0.5, 2, 20, 250]);
  const kinds: (() => Expression)[] = [
    () => ({ op: 'place', name: pick(NAMES) }),
    () => ({ op: 'place', name: pick(NAMES), level: level() }),
    () => ({ op: 'place', name: pick(NAMES), within: pick(NAMES) }),
    () => ({ op: 'group', name: pick(['Benelux', 'European Union', 'Baltic states', 'New England']) }),
    () => ({ op: 'capital', of: part() }),
    () => ({ op: 'union', of: [part(), part(), ...(random(2) ? [part()] : [])] }),
    () => ({ op: 'difference', of: part(), minus: part() }),
    () => ({ op: 'intersection', of: part(), with: part() }),
    () => ({ op: 'children', of: part(), level: level() }),
    () => ({ op: 'containing', of: part(), level: level() }),
    () => ({ op: 'neighbors', of: part() }),
    () => ({ op: 'neighbors', of: part(), level: level() }),
    () => ({ op: 'around', from: part(), km: km(), level: level() }),
    () => ({ op: 'within', of: part(), from: part(), km: km() }),
    () => ({ op: 'buffer', of: part(), km: km() }),
    () => ({ op: 'touching', of: part(), border: part() }),
    () => ({ op: 'coast', of: part(), is: pick(['coastal', 'landlocked']) }),
    () => ({ op: 'clip', of: part(), direction: pick(DIRECTIONS) }),
    () => ({ op: 'clip', of: part(), direction: pick(['north', 'south']), at: random(180) - 90 }),
    () => ({ op: 'clip', of: part(), direction: pick(['east', 'west']), at: 1 + random(180), signed: false }),
    () => ({ op: 'at', lat: (random(1800) - 900) / 10, lon: (random(3600) - 1800) / 10, level: level() }),
    () => ({ op: 'bordered', of: part(), is: pick([...COMPARED, 'exactly']), count: random(9) }),
    () => ({ op: 'bordered', of: part(), is: pick([...COMPARED, 'exactly']), count: random(9), level: level() }),
    () => ({
      op: 'rank',
      of: part(),
      by: pick(['area', 'population']),
      order: pick(['most', 'least']),
      count: 2 + random(20),
    }),
    () => ({
      op: 'measured',
      of: part(),
      by: pick(['area', 'population']),
      is: pick(COMPARED),
      than: 1 + random(1e6),
    }),
    () => ({
      op: 'compared',
      of: part(),
      with: part(),
      by: pick(['area', 'population']),
      is: pick(COMPARED),
      ...(random(2) ? { times: pick([0.5, 2, 3.25]) } : {}),
    }),
    () => ({
      op: 'named',
      of: part(),
      how: pick(['starts', 'ends', 'contains', 'is']),
      text: pick(['B', 'San', 'al']),
      language,
    }),
  ];
  return depth === 0 ? defined(kinds[random(4)])() : pick(kinds)();
}

/** What the grammar of a language does not read: "deren Name … ist", an article in a name, "le pays" of one's own. */
const UNREAD: Readonly<Partial<Record<string, RegExp>>> = {
  de: /"how":"is"/,
  fr: /L'Hospitalet|"op":"place","name":"[^"]*","level":"country"/,
};

describe('expressions', () => {
  it.each(LANGUAGES)('go to words and back unchanged: %s', async (language) => {
    const random = randomOf(19);
    for (let i = 0; i < 500; i++) {
      const expression = made(random, 1 + random(3), language);
      if (UNREAD[language]?.test(JSON.stringify(expression))) continue;
      const words = toReading(expression, language);
      let read: unknown;
      try {
        read = withoutWords((await parseDescription(words, lexicon)).expression);
      } catch (error) {
        throw new Error(`${words}: ${error instanceof Error ? error.message : error}`);
      }
      expect(read, words).toEqual(expression);
    }
  });

  it('go to plans and back, and plans have no fault', () => {
    const random = randomOf(7);
    for (let i = 0; i < 500; i++) {
      const expression = made(random, 3, 'en');
      const plan = toPlan(expression);
      expect(planSchema.safeParse(plan).success).toBe(true);
      expect(findPlanFault(plan)).toBeNull();
      expect(withoutWords(toExpression(plan.steps))).toEqual(expression);
    }
  });

  it('that repeat themselves are said in bounded time and length', () => {
    const steps = [
      { op: 'place' as const, name: 'Texas' },
      ...Array.from({ length: 90 }, (_, i) => ({ op: 'union' as const, of: [i, i] })),
    ];
    expect(toEnglish(toExpression(steps)).length).toBeLessThanOrEqual(2_000);
    expect(findPlanFault({ steps })?.message).toContain('deep');
  });
});

describe('descriptions', () => {
  it('that are not understood quote the words and their place', async () => {
    try {
      await parseDescription('Vaduz (Texas', lexicon);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(DescriptionError);
      expect((error as DescriptionError).words).toMatchObject({ from: 6 });
    }
  });

  it.each([
    'the northern half of Texas and Vaduz',
    'the states that border Texas and Vaduz',
    'the neighbors of Texas, Vaduz',
    "Texas and Vaduz's neighbors",
  ])('that can be read in two ways are refused: %s', async (text) => {
    await expect(parseDescription(text, lexicon)).rejects.toThrow('two ways');
  });

  it('of hostile shapes are read in bounded time', async () => {
    for (const text of [
      '('.repeat(2_000),
      'the '.repeat(500),
      'Texas, '.repeat(280),
      'without '.repeat(250),
      '(Texas without '.repeat(130),
    ]) {
      await expect(parseDescription(text.slice(0, 2_000), lexicon)).rejects.toThrow();
    }
  });
});

describe('plans of a model', () => {
  it('are read with a fence around them', () => {
    expect(readModelPlan('```json\n{"steps":[{"op":"place","name":"Texas"}]}\n```')).toEqual({
      plan: { steps: [{ op: 'place', name: 'Texas' }] },
    });
  });
  it.each([
    ['no JSON', 'Sure! Here is your area', 'not JSON'],
    ['an id', '{"steps":[{"op":"place","id":"r62422"}]}', 'never given by an id'],
    ['an unknown op', '{"steps":[{"op":"polygon","coordinates":[[0,0]]}]}', 'steps.0'],
    ['a later step', '{"steps":[{"op":"capital","of":1},{"op":"place","name":"Texas"}]}', 'not an earlier one'],
    [
      'an unused step',
      '{"steps":[{"op":"place","name":"Texas"},{"op":"place","name":"Vaduz"}]}',
      'not part of the result',
    ],
    ['nothing', '{"steps":[]}', 'empty'],
  ])('with %s are refused', (_what, answer, wrong) => {
    expect(readModelPlan(answer)).toEqual({ wrong: expect.stringContaining(wrong) });
  });
});
