/** How an area that was made is described: its plan, and the sources of its boundaries. */
import { z } from 'zod';
import { defined } from '../../common/elements.ts';
import { kind } from '../../core/schemas.ts';
import type { Step } from '../../domain/areas/algebra.ts';
import { toExpression } from '../../domain/areas/say.ts';
import { toReading } from '../../domain/areas/wording/reading.ts';
import { inLanguage, type Language, type Sentence } from '../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { askedAs, type LandReader, type Part, readIncludesWater } from '../../domain/boundaries/land.ts';
import { groupOf } from '../../domain/names/groups.ts';
import { type Executed, sidesOf } from './execute.ts';
import type { StepResult } from './execution/findings.ts';
import { isWidened, type Region } from './execution/region.ts';
import type { Planned } from './planner.ts';

const candidate = z.object({
  id: z.string(),
  name: z.string(),
  kind,
  parents: z.array(z.object({ id: z.string(), name: z.string() })),
});

export const planAnswer = z
  .object({
    reading: z.string().describe('How the description was understood, in the language of the call.'),
    planner: z
      .enum(['embedded', 'model', 'given'])
      .describe('Who made the plan: the grammar, the model of AREA_PLANNER_URL, or the caller.'),
    language: z.string().nullable().describe('Language of the description; null if the grammar did not read it.'),
    choices: z.array(z.string()).describe('Choices made where words are ambiguous.'),
    area: z.enum(['land', 'water']).optional().describe('The part of the boundaries, where it is not all.'),
    water: z.enum(['inland']).optional(),
    steps: z
      .array(
        z.looseObject({
          op: z.string(),
          found: z.object({
            members: z.int().describe('Boundaries in the result of the step.'),
            place: z
              .object({
                id: z.string(),
                name: z.string(),
                within: z.string().nullable().describe('Name of the innermost place that contains it.'),
              })
              .optional(),
            rivals: z.array(candidate).optional().describe('Other meanings of the name.'),
            because: z.string().optional().describe('Why this one was chosen.'),
            notes: z.array(z.string()).optional(),
          }),
        }),
      )
      .describe('The steps, each with its words; as the plan of a request they give the same area.'),
    include: z.array(z.object({ id: z.string(), name: z.string() })).describe('The boundaries included.'),
    exclude: z.array(z.object({ id: z.string(), name: z.string() })).describe('The boundaries excluded.'),
    exact: z.boolean().describe('True: the area consists of stored borders; false: it is cut or widened.'),
  })
  .meta({ id: 'AreaPlan' });

export const sources = z.array(z.object({ name: z.string(), license: z.string(), attribution: z.string() }));

/** The name of a group as the description writes it, without its article; the English one where it does not write one. */
function groupWritten({ name, words }: Extract<Step, { op: 'group' }>): string {
  const text = words?.text ?? name;
  return [text, text.slice(text.indexOf(' ') + 1)].find((one) => groupOf(one)?.name === name) ?? name;
}

/** A step that names the place that was chosen, with its container, in place of the words. */
function chosen(step: Step, { place, level }: StepResult, language: Language): Step {
  if (level !== undefined) return { ...step, level } as Step;
  if (step.op === 'group' && language !== 'en') return { ...step, name: groupWritten(step) };
  if (step.op !== 'place' || !place) return step;
  return { ...step, name: place.name, within: place.within ?? undefined };
}

/** The plan as the answer has it, its sentences in a language. */
export function planned(
  { plan, planner, choices, language: read }: Planned,
  { region, found, choices: guesses, part }: Executed,
  language: Language,
): z.input<typeof planAnswer> {
  const { include, exclude } = sidesOf(region);
  const written = (sentence: Sentence) => inLanguage(sentence, language);
  const named = (list: readonly ResolvedBoundary[]) => list.map(({ id, name }) => ({ id, name }));
  const steps = plan.steps.map((step, i) => {
    const own = defined(found[i]);
    const { place, level, ...shown } = own;
    // With its id, a place is the same one in the next call.
    return {
      ...step,
      ...(place ? { id: place.id } : {}),
      ...(level === undefined ? {} : { level }),
      found: {
        ...shown,
        ...(place ? { place } : {}),
        rivals: own.rivals?.map((one) => ({ ...one, parents: [...one.parents] })),
        because: own.because === undefined ? undefined : written(own.because),
        notes: own.notes?.map(written),
      },
    };
  });
  return {
    reading: toReading(toExpression(plan.steps.map((step, i) => chosen(step, defined(found[i]), language))), language),
    planner,
    language: read,
    choices: [...new Set([...choices, ...guesses].map(written))],
    ...(part === undefined ? {} : askedAs(part)),
    steps,
    include: named(include),
    exclude: named(exclude),
    exact: isExact(region),
  };
}

/** Whether an area consists of stored borders: a set of boundaries, or the difference of two. */
export const isExact = (region: Region): boolean =>
  region.op === 'set' || (region.op === 'difference' && region.of.op === 'set' && region.minus.op === 'set');

/** Whether an area includes water. One that is cut or widened has not all of its boundaries, or more than these. */
export async function waterIn(reading: LandReader, region: Region, part: Part): Promise<boolean | 'unknown'> {
  if (part !== 'all') return part === 'water';
  if (isWidened(region)) return 'unknown';
  const water = await readIncludesWater(reading, sidesOf(region).include, part);
  return water === true && !isExact(region) ? 'unknown' : water;
}

/** The sources of boundaries, each once. */
export function sourcesOf(boundaries: readonly ResolvedBoundary[]): z.output<typeof sources> {
  const all = new Map(boundaries.map(({ source }) => [source.id, source]));
  return [...all.values()].map(({ name, license, attribution }) => ({ name, license, attribution }));
}
