/** Areas described in words: planned, carried out, checked and written. */

import { z } from 'zod';
import { defined } from '../../common/elements.ts';
import { Turns } from '../../common/turns.ts';
import { invalidInput, ProblemError } from '../../core/errors.ts';
import type { Context } from '../../core/op.ts';
import { asOf, type Detail, type Format, scope } from '../../core/schemas.ts';
import { type AreaPlan, planSchema } from '../../domain/areas/algebra.ts';
import type { NamePreferences } from '../../domain/areas/names.ts';
import { findPlanFault } from '../../domain/areas/plan_fault.ts';
import { type Language, said, term } from '../../domain/areas/wording/said.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { type Part, partAsked, partsOf } from '../../domain/boundaries/land.ts';
import type { Snapshot } from '../../domain/boundaries/reads.ts';
import type { RegionTree } from '../../geometry/documents.ts';
import type { BoundaryRef } from '../../geometry/engine_model.ts';
import { attributionOf, geometryOf, mergedName } from '../boundaries/document.ts';
import { onSnapshot } from '../boundaries/fetched.ts';
import { part as partFields, tags } from '../boundaries/schema.ts';
import { isExact, planned, sourcesOf, waterIn } from './area_answer.ts';
import { type Executed, execute, sidesOf } from './execute.ts';
import { couldNotMap } from './execution/findings.ts';
import { allOf, isWidened, type Region, replaced } from './execution/region.ts';
import { inLanguages, languageOf } from './language.ts';
import { ownPlanOf, type Planned, planOf } from './planner.ts';
import { checkArea, checkPairs } from './plausible.ts';
import { withRewording } from './rewording.ts';

/** Units that an area costs. */
export const AREA_UNITS = 5;
/** Limit of a description, in characters. */
const MOST_CHARACTERS = 2_000;
const COUNTRIES = /^\s*[A-Za-z]{2}\s*(,\s*[A-Za-z]{2}\s*)*$/;
const PLACE = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;

function readPlace(text: string): { lat: number; lon: number } | null {
  const [, lat, lon] = PLACE.exec(text) ?? [];
  if (lat === undefined || Math.abs(Number(lat)) > 90 || Math.abs(Number(lon)) > 180) return null;
  return { lat: Number(lat), lon: Number(lon) };
}

/** A region with its boundaries as indexes into a list. */
function treeOf(region: Region, placeOf: (boundary: ResolvedBoundary) => number): RegionTree {
  const inner = (part: Region) => treeOf(part, placeOf);
  switch (region.op) {
    case 'set':
      return { op: 'set', of: region.members.map(placeOf) };
    case 'union':
      return { op: 'union', of: region.of.map(inner) };
    case 'difference':
      return { op: 'difference', of: inner(region.of), minus: inner(region.minus) };
    case 'intersection':
      return { op: 'intersection', of: inner(region.of), with: inner(region.with) };
    case 'clip':
      return { op: 'clip', of: inner(region.of), boxes: region.boxes };
    case 'buffer':
      return { op: 'buffer', of: inner(region.of), km: region.km };
  }
}

async function carryOut(
  ctx: Context,
  reading: Snapshot,
  made: Planned,
  preferences: NamePreferences,
): Promise<Executed> {
  const executed = await execute(ctx, reading, made.plan, preferences);
  checkPairs(made, executed, languageOf(ctx));
  return executed;
}

/** A plan carried out, or else the one that it replaces. @throws could_not_map of the latter where both fail */
async function firstThatMaps(
  ctx: Context,
  reading: Snapshot,
  planned: Planned,
  preferences: NamePreferences,
): Promise<{ readonly planned: Planned; readonly executed: Executed }> {
  try {
    return { planned, executed: await carryOut(ctx, reading, planned, preferences) };
  } catch (error) {
    const { otherwise } = planned;
    if (!otherwise || !(error instanceof ProblemError) || error.code !== 'could_not_map') throw error;
    return firstThatMaps(ctx, reading, otherwise, preferences);
  }
}

/**
 * What was executed, made of the land or the water of its boundaries.
 * @throws no_geometry for a boundary whose land is not known; could_not_map for a widened area, which is of more than these
 */
async function ofPart(reading: Snapshot, executed: Executed, part: Part, language: Language): Promise<Executed> {
  if (part === 'all') return executed;
  const { region } = executed;
  if (isWidened(region)) {
    const asked = term(part === 'water' ? 'water' : 'land');
    const reason = said`The ${asked} of an area that is widened is not known: it is of more than its boundaries.`;
    throw couldNotMap([{ text: '', from: null, to: null, reason, candidates: [] }], language);
  }
  const whole = allOf(region);
  const parts = new Map((await partsOf(reading, whole, part)).map((one) => [one.id, one]));
  return { ...executed, region: replaced(region, (one) => defined(parts.get(one.id))), part };
}

/** The area that is requested: words or a plan, and hints that decide among places of one name. */
export const areaAsked = z.strictObject({
  as_of: asOf,
  scope,
  description: z
    .string()
    .trim()
    .min(1)
    .max(MOST_CHARACTERS)
    .optional()
    .describe('The area in words. Give description or plan.'),
  plan: planSchema.optional(),
  country: z
    .string()
    .max(200)
    .regex(COUNTRIES, 'must be two-letter country codes, separated by commas')
    .optional()
    .describe('ISO 3166-1 alpha-2 codes, such as ES,PT: places are only there.'),
  lang: tags.optional().describe('Languages for plan and errors: es,fr. Default: Accept-Language.'),
  near: z
    .string()
    .max(100)
    .refine((text) => readPlace(text) !== null, 'must be lat,lon in degrees')
    .optional()
    .describe('lat,lon: the nearest of places of one name.'),
  ...partFields,
});

/** Plans an area and executes the plan. @throws invalid_input, could_not_map, and what a model's endpoint may throw */
export async function planArea(
  given: Context,
  { description, plan, country, near, area: asked, water, lang }: z.output<typeof areaAsked>,
) {
  const ctx = inLanguages(given, lang);
  const language = languageOf(ctx);
  if ((description === undefined) === (plan === undefined)) {
    throw invalidInput([
      {
        path: 'description',
        code: description === undefined ? 'missing' : 'conflict',
        message: 'give either description or plan',
      },
    ]);
  }
  if (asked !== undefined && plan?.area !== undefined && asked !== plan.area)
    throw invalidInput([{ path: 'area', code: 'conflict', message: `the plan says ${plan.area}` }]);
  const part = partAsked({ area: asked ?? plan?.area, water: water ?? plan?.water });
  const preferences: NamePreferences = {
    country: country?.split(',').map((code) => code.trim().toUpperCase()),
    near: near === undefined ? undefined : (readPlace(near) ?? undefined),
  };
  const made = plan === undefined ? null : givenPlan(plan);
  const result = await onSnapshot(ctx, async (reading) => {
    const { db, names } = ctx.services;
    const services = { db, names, boundaries: reading, countries: preferences.country };
    const mapped = async (text: string) => {
      const planned = made ?? (await planOf(ctx, services, text));
      const mapped = await firstThatMaps(ctx, reading, planned, preferences);
      const { executed: whole } = mapped;
      return { ...mapped, whole, executed: await ofPart(reading, whole, part, language), revision: reading.revision };
    };
    try {
      return await mapped(description ?? '');
    } catch (error) {
      if (made || !(error instanceof ProblemError) || error.code !== 'could_not_map') throw error;
      const isMapped = async (text: string): Promise<boolean> => {
        try {
          await firstThatMaps(ctx, reading, await ownPlanOf(ctx, services, text), preferences);
          return true;
        } catch (failure) {
          if (failure instanceof ProblemError) return false;
          throw failure;
        }
      };
      throw await withRewording(error, services, description ?? '', isMapped, {
        turns: new Turns(ctx.signal),
        language,
      });
    }
  });
  ctx.progress?.(`${sidesOf(result.executed.region).include.length} boundaries to merge`);
  return { ...result, preferences, part, language };
}

/**
 * A planned area as a document, from the current data: if the data has changed, the plan is executed again.
 * @throws could_not_map, and as union_boundaries
 */
export async function makeArea(
  ctx: Context,
  { planned: made, preferences, part, language, ...before }: Awaited<ReturnType<typeof planArea>>,
  wanted: { readonly detail: Detail; readonly format: Format },
) {
  const { written, executed } = await onSnapshot(ctx, async (reading) => {
    const isCurrent = reading.revision === before.revision;
    const whole = isCurrent ? before.whole : await carryOut(ctx, reading, made, preferences);
    const executed = isCurrent ? before.executed : await ofPart(reading, whole, part, language);
    const water = await waterIn(reading, whole.region, part);
    const about = { properties: { includes_water: water }, language };
    if (part !== 'dry_land' || wanted.format !== 'geojson')
      return { executed, written: await write(ctx, made, executed, { ...wanted, ...about }) };
    const land = await write(ctx, made, await ofPart(reading, whole, 'land', language), { ...wanted, ...about });
    return { executed, written: await write(ctx, made, executed, { ...wanted, ...about, landKm2: land.areaKm2 }) };
  });
  checkArea(executed.region, written.areaKm2, language);
  return { written, executed };
}

/** The name of an area, and its canonical ids and cuts as text: equal for descriptions with the same meaning. */
export function identityOf({ region, part }: Executed): { readonly name: string; readonly text: string } {
  const { include, exclude } = sidesOf(region);
  const ids: string[] = [];
  const places = new Map<string, number>();
  const tree = treeOf(region, ({ id }) => {
    const known = places.get(id) ?? ids.push(id) - 1;
    places.set(id, known);
    return known;
  });
  return {
    name: mergedName(include, exclude),
    text: JSON.stringify(part === undefined ? [ids, tree] : [ids, tree, part]),
  };
}

function givenPlan(plan: AreaPlan): Planned {
  const fault = findPlanFault(plan);
  if (fault) throw invalidInput([{ path: `plan.steps.${fault.step}`, code: 'invalid', message: fault.message }]);
  return { plan, planner: 'given', language: null, choices: [], pairs: [] };
}

interface WantedArea {
  readonly detail: Detail;
  readonly format: Format;
  /** What a GeoJSON document says besides. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** The language of the sentences of its plan. */
  readonly language: Language;
  /** The area with inland water, where that was cut out. */
  readonly landKm2?: number;
}

/** The area as a document: merged on exact borders when it is a set of boundaries, overlaid when cut or widened. */
function write(
  ctx: Context,
  made: Planned,
  executed: Executed,
  { detail, format, properties, language, landKm2 }: WantedArea,
) {
  const { engine } = ctx.services;
  const { region } = executed;
  const { include, exclude } = sidesOf(region);
  const all = [...include, ...exclude];
  const document = {
    id: null,
    name: mergedName(include, exclude),
    bbox: null,
    digits: 7,
    attribution: attributionOf(all),
    properties:
      format === 'geojson' ? { ...properties, plan: planned(made, executed, language), sources: sourcesOf(all) } : {},
    ...(landKm2 === undefined ? {} : { landKm2 }),
  };
  const wanted = { detail, format, document };
  if (isExact(region)) {
    const [merged, cut] = [include.map(geometryOf), exclude.map(geometryOf)];
    return engine.documents.merge(merged, cut, wanted, ctx, 'refuse');
  }
  const places = new Map<string, number>();
  const refs: BoundaryRef[] = [];
  const placeOf = (boundary: ResolvedBoundary): number => {
    const known = places.get(boundary.id);
    if (known !== undefined) return known;
    places.set(boundary.id, refs.length);
    return refs.push(geometryOf(boundary)) - 1;
  };
  const tree = treeOf(region, placeOf);
  return engine.documents.region(refs, tree, wanted, ctx.signal);
}
