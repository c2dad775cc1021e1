import { z } from 'zod';
import { LANGUAGES } from '../../common/languages.ts';
import { adminLevel, boundaryId } from '../../core/schemas.ts';

/** Steps in one plan. */
export const MAX_STEPS = 100;
/** Depth to which steps can refer to each other. */
export const MAX_DEPTH = 20;
/** Boundaries in the result or in one step of it. */
export const MAX_MEMBERS = 5_000;

/** Level words in plans; their meaning depends on the country (levels.ts). */
export const LEVEL_WORDS = [
  'country',
  'state',
  'community',
  'region',
  'province',
  'county',
  'department',
  'canton',
  'district',
  'municipality',
  'borough',
] as const;
export type LevelWord = (typeof LEVEL_WORDS)[number];
export type Level = LevelWord | number;

/** Compass directions: the first four mean halves, the others quarters. */
export const DIRECTIONS = [
  'north',
  'south',
  'east',
  'west',
  'northeast',
  'northwest',
  'southeast',
  'southwest',
] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** How an area or a population is compared. */
export const COMPARED = ['more', 'less', 'at_least', 'at_most'] as const;

const level = z
  .union([z.enum(LEVEL_WORDS), adminLevel])
  .describe('A word whose meaning depends on the country, or an admin level of the map data.');
const step = z
  .int()
  .min(0)
  .max(MAX_STEPS - 1)
  .describe('The number of an earlier step; the first is 0.');
const name = z.string().min(1).max(200);
const direction = z.enum(DIRECTIONS);
const km = z.number().positive().max(1000).describe('Geodesic distance in kilometers.');
/** The words of the description that a step comes from; they do not affect the result. */
const words = z
  .object({ text: z.string().max(2000), from: z.int().min(0).max(2000), to: z.int().min(0).max(2000) })
  .optional()
  .describe('The words of the description that this step comes from, and their position. Has no effect on the result.');

/** Steps of a plan. Members of type `step` are indexes of earlier steps. */
export const stepSchema = z
  .discriminatedUnion('op', [
    z
      .object({
        op: z.literal('place'),
        name: name.optional().describe('A name in any language. Give name or id; id decides.'),
        within: name.optional().describe('The place that contains it: "Texas" in "Paris, Texas".'),
        within_level: level.optional(),
        level: level.optional(),
        id: boundaryId.optional(),
        own: z.boolean().optional().describe('An area of a set that the call reads, never an official boundary.'),
        words,
      })
      .describe('One boundary.'),
    z
      .object({
        op: z.literal('at'),
        lat: z.number().min(-90).max(90),
        lon: z.number().min(-180).max(180),
        level,
        sure: z.boolean().optional().describe('False: an error if a boundary is also at the swapped coordinates.'),
        words,
      })
      .describe('The boundary of a level that a point is in, in degrees.'),
    z
      .object({ op: z.literal('group'), name, words })
      .describe('Countries or states with one common name, such as Benelux.'),
    z
      .object({ op: z.literal('capital'), of: step, words })
      .describe('The capital of a country or first-level division.'),
    z
      .object({ op: z.literal('union'), of: z.array(step).min(1).max(MAX_STEPS), apart: z.boolean().optional(), words })
      .describe('The union of these steps. `apart`: an error if the first has a part of the others.'),
    z.object({ op: z.literal('difference'), of: step, minus: step, words }).describe('The first without the second.'),
    z.object({ op: z.literal('intersection'), of: step, with: step, words }).describe('The intersection of two steps.'),
    z
      .object({ op: z.literal('children'), of: step, level: level.optional(), words })
      .describe('The boundaries of a level that are in it. Default level: the next below it, of a single boundary.'),
    z
      .object({ op: z.literal('containing'), of: step, level, words })
      .describe('The boundaries of a level that contain it.'),
    z
      .object({ op: z.literal('neighbors'), of: step, level: level.optional(), words })
      .describe('The boundaries of a level, by default its own, that border it.'),
    z
      .object({ op: z.literal('around'), from: step, km, level, words })
      .describe('The boundaries of a level within a distance of it, including itself.'),
    z
      .object({ op: z.literal('within'), of: step, from: step, km, words })
      .describe('Filter: boundaries within a distance of a place.'),
    z.object({ op: z.literal('buffer'), of: step, km, words }).describe('Every point within a distance of it.'),
    z
      .object({ op: z.literal('touching'), of: step, border: step, words })
      .describe('Filter: boundaries that border a place.'),
    z
      .object({
        op: z.literal('bordered'),
        of: step,
        is: z.enum([...COMPARED, 'exactly']),
        count: z.int().min(0).max(MAX_MEMBERS),
        level: level.optional(),
        words,
      })
      .describe('Filter: boundaries with so many neighbors of a level, by default their own, in their country.'),
    z
      .object({ op: z.literal('coast'), of: step, is: z.enum(['coastal', 'landlocked']), words })
      .describe('Filter: boundaries that touch the sea, or that do not.'),
    z
      .object({ op: z.literal('side'), of: step, direction, level: level.optional(), words })
      .describe(
        'The boundaries in it whose centroid is on one side of its own centroid. Default level: the next below it.',
      ),
    z
      .object({
        op: z.literal('clip'),
        of: step,
        direction,
        from: step.optional().describe('The place beyond which it begins: north of its northern end.'),
        at: z
          .number()
          .min(-180)
          .max(180)
          .optional()
          .describe('The parallel or meridian beyond which it begins, in degrees north or east.'),
        signed: z.boolean().optional().describe('False: the hemisphere of `at` is the one that the place is in.'),
        words,
      })
      .describe(
        'A half or a quarter of it, cut at the middle of its bounding box; with `from` or `at`, what lies beyond a place or a line.',
      ),
    z
      .object({
        op: z.literal('rank'),
        of: step,
        by: z.enum(['area', 'population']),
        order: z.enum(['most', 'least']),
        count: z.int().min(1).max(MAX_MEMBERS),
        words,
      })
      .describe('The largest, smallest, most or least populous of some boundaries.'),
    z
      .object({ op: z.literal('counted'), of: step, count: z.int().min(1).max(MAX_MEMBERS), words })
      .describe('Check: the same boundaries, which must be that many.'),
    z
      .object({
        op: z.literal('measured'),
        of: step,
        by: z.enum(['area', 'population']),
        is: z.enum(COMPARED),
        than: z.number().min(0).max(1e11),
        words,
      })
      .describe('Filter: boundaries with more or less area (km2) or population than a number.'),
    z
      .object({
        op: z.literal('compared'),
        of: step,
        with: step,
        by: z.enum(['area', 'population']),
        is: z.enum(COMPARED),
        times: z.number().positive().max(1e6).optional(),
        words,
      })
      .describe('Filter: the same, compared with one boundary, or with `times` of it.'),
    z
      .object({
        op: z.literal('named'),
        of: step,
        how: z.enum(['starts', 'ends', 'contains', 'is']),
        text: name,
        language: z.enum(LANGUAGES).optional().describe('Countries have their names in it'),
        words,
      })
      .describe('Filter: boundaries whose local name matches the text, ignoring case and accents.'),
  ])
  .meta({ id: 'AreaStep' });
export type Step = z.output<typeof stepSchema>;

/** An executable plan; the last step is the result. */
export const planSchema = z
  .object({
    steps: z.array(stepSchema).min(1).max(MAX_STEPS),
    area: z
      .enum(['all', 'land', 'water'])
      .optional()
      .describe('Which part of the boundaries the area is made of: all, the default, their land or their sea.'),
    water: z.enum(['inland']).optional().describe('With area land: without large lakes and rivers.'),
  })
  .describe('Steps in order. The last is the result; it must use every other step.');
export type AreaPlan = z.output<typeof planSchema>;

/** A part of a description by character offsets: `from` counts from 0, `to` is after the last character. */
export interface Words {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

type Nested<T> = T extends Step
  ? {
      [K in keyof T]: K extends 'of' | 'minus' | 'with' | 'from' | 'border'
        ? T[K] extends number
          ? Expression
          : T[K] extends number[]
            ? readonly Expression[]
            : T[K] extends number | undefined
              ? Expression | undefined
              : T[K]
        : K extends 'words'
          ? Words | undefined
          : T[K];
    }
  : never;

/** A plan as a tree, with expressions in place of step indexes. */
export type Expression = Nested<Step>;
export type Op = Step['op'];

/** Members of steps that refer to other steps. */
export const PARTS = ['of', 'minus', 'with', 'from', 'border'] as const;

/** Converts an expression to a plan, one step per distinct node (by identity). @throws RangeError beyond MAX_STEPS */
export function toPlan(expression: Expression): AreaPlan {
  const steps: Step[] = [];
  const numbers = new Map<Expression, number>();
  const add = (one: Expression): number => {
    const known = numbers.get(one);
    if (known !== undefined) return known;
    const flat: Record<string, unknown> = { ...one };
    const given = one as unknown as Readonly<Record<string, Expression | readonly Expression[] | undefined>>;
    for (const part of PARTS) {
      const value = given[part];
      if (value === undefined) continue;
      flat[part] = Array.isArray(value) ? value.map(add) : add(value as Expression);
    }
    if (steps.length === MAX_STEPS) throw new RangeError(`more than ${MAX_STEPS} steps`);
    numbers.set(one, steps.length);
    steps.push(flat as Step);
    return steps.length - 1;
  };
  add(expression);
  return { steps };
}

/** Returns an expression without its words, so that two descriptions of one area compare equal. */
export function withoutWords(expression: Expression): Expression {
  const bare: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(expression)) {
    if (key === 'words' || value === undefined) continue;
    if (!(PARTS as readonly string[]).includes(key)) bare[key] = value;
    else bare[key] = Array.isArray(value) ? value.map(withoutWords) : withoutWords(value as Expression);
  }
  return bare as unknown as Expression;
}
