import { z } from 'zod';
import { meaningful } from '../../../workers/digits.ts';
import { defined } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { contextAsOf } from '../../core/dated.ts';
import { bytes, type Context, defineOp } from '../../core/op.ts';
import { asOf, recordedBefore, safeCsv } from '../../core/schemas.ts';
import { type NamedShape, shownId } from '../../domain/boundaries/boundary.ts';
import { type Part, partAsked, partsOf, readIncludesWater } from '../../domain/boundaries/land.ts';
import type { Snapshot } from '../../domain/boundaries/reads.ts';
import {
  type OmittedBoundary,
  ONE_CALL,
  omitted,
  requireSelectable,
  type SelectionLimit,
} from '../../domain/boundaries/selection.ts';
import { CROSSWALK_FORMATS, CROSSWALK_TYPES, type PairRow, parquetOf, tableOf } from './crosswalk_table.ts';
import { attributionOf, geometryOf } from './document.ts';
import { onSnapshot, requireGeometry, withCandidates } from './fetched.ts';
import { canonicalId, includesWaterSchema, inlandWaterSchema, part as partFields } from './schema.ts';
import {
  asSelection,
  countListed,
  idsNamedIn,
  idsSelected,
  leftOutOf,
  leftOutSchema,
  requireOneBase,
  type SelectionForm,
  selectionForms,
} from './selection.ts';

/** Limits: boundaries on one side, and pairs in an answer. */
const MOST = { boundaries: 5_000, pairs: 200_000 };
const BODY_BYTES = 1024 * 1024;
/** Distinct boundaries per unit. */
export const FOR_A_UNIT = 10;
/** Limit of the boundaries that an answer lists because their shares do not add up to 1. */
const LISTED = 1_000;
/**
 * Tolerance within which a sum of shares counts as 1: ten square meters of a square kilometer. Where borders are
 * overlaid, rounding to the grid of a centimeter leaves differences along the whole border.
 */
const WHOLE = 1e-5;

const side = selectionForms(MOST.boundaries);
const SIDE: SelectionLimit = { ...ONE_CALL, most: MOST.boundaries, code: 'too_many_boundaries', of: 'one side' };

const share = z.number().min(0).max(1);
const rest = z.object({
  total: z.int(),
  items: z
    .array(z.object({ id: canonicalId, share: z.number().min(0).describe('Sum over the items.') }))
    .describe(`The first ${LISTED}.`),
});

/** Both sides resolved: each distinct boundary once, and the sides as indexes into that list. */
export interface Sides {
  readonly revision: number;
  readonly boundaries: readonly NamedShape[];
  readonly a: readonly number[];
  readonly b: readonly number[];
  /** Selected boundaries without a polygon, each once. */
  readonly leftOut: readonly OmittedBoundary[];
}

/** Resolves both sides, each of up to the number of boundaries of the limit; b as of `asOfB` if that is given. */
export async function resolveSides(
  ctx: Context,
  reading: Snapshot,
  given: readonly [SelectionForm, SelectionForm],
  {
    limit = SIDE,
    part = 'all',
    asOfB,
  }: { readonly limit?: SelectionLimit; readonly part?: Part; readonly asOfB?: string | undefined } = {},
): Promise<Sides> {
  const boundaries: NamedShape[] = [];
  const places = new Map<string, number>();
  const sides: number[][] = [];
  const leftOut = new Map<string, OmittedBoundary>();
  for (const [n, form] of given.entries()) {
    const side = asSelection(form);
    const there = n === 1 && asOfB !== undefined ? await contextAsOf(ctx, asOfB) : null;
    const found =
      there === null || asOfB === undefined
        ? await reading.shapes(await idsSelected(ctx, reading, side, limit))
        : await onSnapshot(there, async (then) => {
            const shapes = await then.shapes(await idsSelected(there, then, side, limit));
            return shapes.map((one) => ({ ...one, dated: { date: asOfB, db: there.services.db } }));
          });
    // A listed boundary without a shape is refused; one that fits the form is left out.
    const used = found.filter(({ has_geometry }) => side.ids !== undefined || has_geometry);
    await requireGeometry(ctx, used);
    if (used.length < found.length) for (const one of found) if (!one.has_geometry) leftOut.set(one.id, omitted(one));
    const own = new Set<number>();
    for (const one of await partsOf(reading, used, part)) {
      const place = places.get(shownId(one)) ?? boundaries.push(one) - 1;
      places.set(shownId(one), place);
      own.add(place);
    }
    sides.push([...own]);
  }
  return {
    revision: reading.revision,
    boundaries,
    a: defined(sides[0]),
    b: defined(sides[1]),
    leftOut: [...leftOut.values()],
  };
}

/** Checks the selections of both sides. @throws invalid_input */
export function checkSides({ a, b }: { readonly a: SelectionForm; readonly b: SelectionForm }): void {
  requireOneBase(asSelection(a), 'a');
  requireOneBase(asSelection(b), 'b');
}

/** An area as a part of another one, at most 1. */
const shareOf = (area: number, whole: number): number => Math.min(1, meaningful(area / whole));

/** Boundaries whose shares do not add up to 1, with their sums. */
export function restOf(ids: readonly string[], sums: Float64Array) {
  const items = ids.flatMap((id, i) => {
    const share = meaningful(defined(sums[i]));
    return Math.abs(share - 1) > WHOLE ? [{ id, share }] : [];
  });
  return { total: items.length, items: items.slice(0, LISTED) };
}

const answerSchema = z.object({
  items: z.array(
    z.object({
      a: canonicalId,
      b: canonicalId,
      area_km2: z.number().min(0).describe('Area that the two have in common.'),
      share_of_a: share,
      share_of_b: share,
      exact: z.boolean().describe('False where borders of the two cross: they were overlaid.'),
      inland_water_km2: inlandWaterSchema,
    }),
  ),
  total: z.int(),
  not_whole: z
    .object({ a: rest, b: rest })
    .describe(
      'Boundaries whose shares do not add up to 1 within 0.00001: below, a part is in none; above, others overlap.',
    ),
  left_out: leftOutSchema,
  includes_water: includesWaterSchema.optional().describe('With area: whether the boundaries include sea.'),
  attribution: z.string(),
});

export const crosswalk = defineOp({
  name: 'crosswalk',
  summary:
    'Compares two sets of boundaries, such as postcode areas and districts: the common area and shares of each pair.',
  description:
    'Items are the pairs with an area in common, in the order of a, largest common area first: area_km2 on the ellipsoid, ' +
    'share_of_a and share_of_b. Where borders of the two do not cross, areas are exact sums of the stored borders; where ' +
    'they do, as those of two sources, the two are overlaid and exact is false. not_whole lists the boundaries whose ' +
    'shares do not add up to 1. Up to 5,000 boundaries a side; they must be stored here. Formats csv and parquet have only the items.',
  route: { method: 'POST', path: '/crosswalk' },
  access: RULES.crosswalk,
  effect: 'read',
  cost: { units: 1, per: 'call', note: `for every ${FOR_A_UNIT} distinct boundaries of both sides, rounded up` },
  bodyBytes: BODY_BYTES,
  mostValues: 2 * MOST.boundaries + 20,
  input: z.strictObject({
    a: side,
    b: side,
    ...partFields,
    as_of: asOf,
    recorded_before: recordedBefore,
    as_of_b: asOf.describe('The date of b, where it is another than that of a: a table from old areas to new ones.'),
    format: z.enum(CROSSWALK_FORMATS).default('json'),
    safe_csv: safeCsv,
  }),
  output: answerSchema,
  success: { documents: Object.values(CROSSWALK_TYPES) },
  errors: [
    'invalid_input',
    'invalid_id',
    'unauthorized',
    'quota_exceeded',
    'too_many_boundaries',
    'no_children',
    'not_found',
    'no_geometry',
    'too_large',
    'rate_limited',
  ],
  examples: [
    { input: { a: { children_of: 'iso:ES-SE' }, b: ['iso:ES-SE', 'iso:ES-CO'] } },
    { input: { a: ['iso:ES-SE'], b: ['iso:ES-AN'], format: 'csv' }, note: 'As a table' },
  ],
  count({ a, b }) {
    requireSelectable(Math.max(countListed(a), countListed(b)), SIDE);
  },
  async prepare(ctx, { a, b, area, water, as_of_b: asOfB }) {
    checkSides({ a, b });
    const part = partAsked({ area, water });
    const sides = await withCandidates(ctx, [a, b].flatMap(idsNamedIn), () =>
      onSnapshot(ctx, (reading) => resolveSides(ctx, reading, [a, b], { part, asOfB })),
    );
    ctx.progress?.(`${sides.a.length} and ${sides.b.length} boundaries to compare`);
    return sides;
  },
  price: (_ctx, _input, { boundaries }) => Math.ceil(boundaries.length / FOR_A_UNIT),
  async run(ctx, { a, b, area, water, format, as_of_b: asOfB }, found) {
    const part = partAsked({ area, water });
    const answer = await onSnapshot(ctx, async (reading) => {
      const sides =
        found.revision === reading.revision ? found : await resolveSides(ctx, reading, [a, b], { part, asOfB });
      const land = part === 'dry_land' ? await resolveSides(ctx, reading, [a, b], { part: 'land', asOfB }) : undefined;
      const answer = await answerOf(ctx, sides, land);
      if (area === undefined) return answer;
      return { ...answer, includes_water: await readIncludesWater(reading, sides.boundaries, part) };
    });
    const dry = part === 'dry_land';
    if (format === 'csv') return bytes(tableOf(answer.items, dry), CROSSWALK_TYPES.csv);
    return format === 'parquet' ? bytes(await parquetOf(answer.items, dry), CROSSWALK_TYPES.parquet) : answer;
  },
});

async function answerOf(
  ctx: Context,
  { boundaries, a, b, leftOut }: Sides,
  land?: Sides,
): Promise<z.input<typeof answerSchema>> {
  const ids = {
    a: a.map((place) => defined(boundaries[place]).id),
    b: b.map((place) => defined(boundaries[place]).id),
  };
  const { items, sums } = await compare(ctx, { boundaries, a, b }, land);
  return {
    items,
    total: items.length,
    not_whole: { a: restOf(ids.a, sums.a), b: restOf(ids.b, sums.b) },
    left_out: leftOutOf(leftOut),
    attribution: attributionOf(boundaries),
  };
}

/**
 * The pairs of two sides in the order of a, and for each boundary of a and of b the sum of its shares.
 * @param land the same boundaries with their inland water, where that was cut out: pairs say how much it was
 */
export async function compare(
  ctx: Context,
  { boundaries, a, b }: Pick<Sides, 'boundaries' | 'a' | 'b'>,
  land?: Pick<Sides, 'boundaries'>,
) {
  const wanted = { a, b, maxPairs: MOST.pairs };
  const pairs = await ctx.services.engine.relations.crosswalk(boundaries.map(geometryOf), wanted, ctx.signal);
  const sums = { a: new Float64Array(a.length), b: new Float64Array(b.length) };
  const onLand = new Map<string, number>();
  if (land) {
    const whole = await ctx.services.engine.relations.crosswalk(land.boundaries.map(geometryOf), wanted, ctx.signal);
    for (const [p, i] of whole.a.entries()) onLand.set(`${i} ${whole.b[p]}`, defined(whole.areaKm2[p]));
  }
  const order = Array.from(pairs.a.keys()).sort(
    (p, q) =>
      defined(pairs.a[p]) - defined(pairs.a[q]) ||
      defined(pairs.areaKm2[q]) - defined(pairs.areaKm2[p]) ||
      defined(pairs.b[p]) - defined(pairs.b[q]),
  );
  const idsOfSide = (side: readonly number[]) => side.map((place) => defined(boundaries[place]).id);
  const ids = { a: idsOfSide(a), b: idsOfSide(b) };
  const items = order.map((p): PairRow => {
    const [i, j, area] = [defined(pairs.a[p]), defined(pairs.b[p]), defined(pairs.areaKm2[p])];
    const [ofA, ofB] = [shareOf(area, defined(pairs.wholeA[i])), shareOf(area, defined(pairs.wholeB[j]))];
    sums.a[i] = defined(sums.a[i]) + ofA;
    sums.b[j] = defined(sums.b[j]) + ofB;
    return {
      a: defined(ids.a[i]),
      b: defined(ids.b[j]),
      area_km2: area,
      share_of_a: ofA,
      share_of_b: ofB,
      exact: pairs.exact[p] === 1,
      ...(land && { inland_water_km2: Math.max(0, (onLand.get(`${i} ${j}`) ?? area) - area) }),
    };
  });
  return { items, sums };
}
