import { z } from 'zod';
import { levelOfTolerance, toleranceMeters } from '../../../workers/arcs/levels.ts';
import type { Document } from '../../../workers/contract.ts';
import { splitDated } from '../../common/dates.ts';
import { defined } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { contextAsOf } from '../../core/dated.ts';
import { problem } from '../../core/errors.ts';
import { lengthOf } from '../../core/input.ts';
import { bytes, type Context, defineOp } from '../../core/op.ts';
import {
  areaFormat,
  asOf,
  boundaryId,
  type Detail,
  detail,
  type Format,
  format,
  recordedBefore,
} from '../../core/schemas.ts';
import { type NamedShape, shownId } from '../../domain/boundaries/boundary.ts';
import { type PartAsked, partAsked, partsOf, readIncludesWater } from '../../domain/boundaries/land.ts';
import { convertArea } from '../../geometry/convert_area.ts';
import { attributionOf, contentType, documentHeaders, geometryOf, mergedName, refAt } from './document.ts';
import { keepExport } from './export.ts';
import { onSnapshot, requireGeometry, shapesFor, UPSTREAM_ERRORS } from './fetched.ts';
import {
  checkResolution,
  exportSchema,
  featureSchema,
  includesWaterSchema,
  inlandWaterSchema,
  part as partFields,
  tolerance,
} from './schema.ts';

/** The input of a merge. */
interface MergeInput extends PartAsked {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Null with a tolerance. */
  readonly detail: Detail | null;
  readonly tolerance_m?: number;
  readonly format: Format;
}

/** Limit of the boundaries in one call (docs/contract.md, Limits). */
export const MOST_MERGED = 50;

const distinct = (boundaries: readonly NamedShape[]) => [
  ...new Map(boundaries.map((boundary) => [shownId(boundary), boundary])).values(),
];

/** The boundaries of ids, each as of its own date if it has one; `find` finds those of the date of the call. */
async function shapesAt(
  ctx: Context,
  texts: readonly string[],
  find: (ids: readonly string[]) => Promise<readonly NamedShape[]>,
): Promise<NamedShape[]> {
  const asked = texts.map(splitDated);
  if (asked.every(({ date }) => date === null)) return [...(await find(asked.map(({ id }) => id)))];
  const found: NamedShape[] = [];
  for (const date of new Set(asked.map((one) => one.date))) {
    const places = asked.flatMap((one, i) => (one.date === date ? [i] : []));
    const ids = places.map((i) => defined(asked[i]).id);
    const there = date === null ? null : await contextAsOf(ctx, date);
    const shapes = there === null || date === null ? await find(ids) : await shapesFor(there, ids);
    for (const [k, i] of places.entries()) {
      const dated = there === null || date === null ? {} : { dated: { date, db: there.services.db } };
      found[i] = { ...defined(shapes[k]), ...dated };
    }
  }
  return found;
}

/** The resolved boundaries of a call, each once: those that are merged, those that are cut out, and all. */
export function sidesOf(include: readonly string[], resolved: readonly NamedShape[]) {
  return {
    included: distinct(resolved.slice(0, include.length)),
    excluded: distinct(resolved.slice(include.length)),
    named: distinct(resolved),
  };
}

const exact = z.boolean().describe('False where borders of two of the boundaries cross: they were overlaid.');

export const unionBoundaries = defineOp({
  name: 'union_boundaries',
  summary: 'Merges boundaries into one polygon: the union of include minus the union of exclude.',
  description:
    'Exact: shared borders cancel, and no slivers are left. exact is false where borders of two of them cross, as those ' +
    'of two sources: they were overlaid. Up to 50 boundaries; one named twice counts once. Unions at one tolerance_m, a ' +
    'power of two, fit each other and the boundaries around them. The answer is a GeoJSON Feature with area_km2; in ' +
    'another format it is the address of the file. To describe an area in words instead, use create_area.',
  route: { method: 'POST', path: '/boundaries/union' },
  access: RULES.union_boundaries,
  effect: 'read',
  cost: { units: 1, per: 'boundary', note: 'each distinct boundary in include and exclude' },
  input: z.strictObject({
    include: z.array(boundaryId).min(1).max(MOST_MERGED).describe('Ids to merge.'),
    exclude: z.array(boundaryId).max(MOST_MERGED).default([]).describe('Ids to cut out.'),
    detail: detail.optional().describe('Default: medium.'),
    tolerance_m: tolerance.optional(),
    ...partFields,
    format: areaFormat.default('geojson'),
    as_of: asOf,
    recorded_before: recordedBefore,
  }),
  output: z.union([
    featureSchema(
      z.object({
        area_km2: z.number(),
        exact,
        includes_water: includesWaterSchema,
        inland_water_km2: inlandWaterSchema,
        include: z.array(z.string()),
        exclude: z.array(z.string()),
        detail: detail.nullable(),
        tolerance_m: z.number(),
        attribution: z.string(),
      }),
    ),
    exportSchema.extend({ format: areaFormat, tolerance_m: z.number(), exact }).meta({ id: 'UnionFile' }),
  ]),
  success: { documents: [contentType('geojson'), 'application/json'] },
  errors: [
    'invalid_input',
    'invalid_id',
    'unauthorized',
    'quota_exceeded',
    'too_many_boundaries',
    'not_found',
    'no_geometry',
    ...UPSTREAM_ERRORS,
    'too_large',
    'rate_limited',
  ],
  examples: [
    { input: { include: ['iso:ES-SE', 'iso:ES-CO'] } },
    {
      input: { include: ['iso:ES-SE', 'iso:ES-CO'], tolerance_m: 256, format: 'kml' },
      note: 'At a tolerance in meters, as a file',
    },
    {
      input: { include: ['iso:ES-AN'], exclude: ['iso:ES-SE'], detail: 'full', format: 'svg' },
      note: 'One area minus another, as a picture',
    },
    { input: { include: ['iso:ES-SE', 'iso:ES-CO'], format: 'geopackage' }, note: 'For a GIS' },
  ],
  count({ include, exclude }) {
    const named = lengthOf(include) + lengthOf(exclude);
    if (named > MOST_MERGED)
      throw problem('too_many_boundaries', `Too many boundaries: ${named} given, at most ${MOST_MERGED} per call.`);
  },
  async prepare(ctx, input) {
    checkResolution(input);
    partAsked(input);
    const { include, exclude } = input;
    const { included, excluded, named } = sidesOf(
      include,
      await shapesAt(ctx, [...include, ...exclude], (ids) => shapesFor(ctx, ids)),
    );
    await requireGeometry(ctx, named);
    const cut = excluded.length > 0 ? `, ${excluded.length} to cut out` : '';
    ctx.progress?.(`${included.length} boundaries to merge${cut}`);
    return { units: named.length };
  },
  price: (_ctx, _input, { units }) => units,
  async run(ctx, input) {
    const chosen = input.tolerance_m === undefined ? (input.detail ?? 'medium') : null;
    const own = format.safeParse(input.format).data ?? null;
    const { written, named, name } = await mergeNamed(ctx, { ...input, detail: chosen, format: own ?? 'geojson' });
    const license = defined(named[0]).source.url;
    if (input.format !== 'geojson') {
      const about = { format: input.format, detail: chosen, boundary_id: null, version: null };
      const { exact, level } = written;
      const made =
        own === null ? await convertArea(ctx.services.engine, written, { ...input, name }, ctx.signal) : written;
      return {
        ...(await keepExport(ctx, made, about, 'union_boundaries')),
        tolerance_m: toleranceMeters(level),
        exact,
      };
    }
    return bytes(written.bytes, contentType('geojson'), { headers: documentHeaders(written, license) });
  },
});

/** The union of `include` minus that of `exclude`, as a document of one state of the data. @throws as Engine.merge() */
export function mergeNamed(ctx: Context, input: MergeInput) {
  const ids = (boundaries: readonly NamedShape[]) => boundaries.map(shownId);
  return onSnapshot(ctx, async (reading) => {
    const whole = await shapesAt(ctx, [...input.include, ...input.exclude], reading.shapes);
    const part = partAsked(input);
    const sides = sidesOf(input.include, await partsOf(reading, whole, part));
    const { included, excluded, named } = sides;
    const document = {
      id: null,
      name: mergedName(included, excluded),
      bbox: null,
      digits: 7,
      attribution: attributionOf(named),
      properties: {
        include: ids(included),
        exclude: ids(excluded),
        includes_water: await readIncludesWater(reading, included, part),
      },
    };
    const level = input.tolerance_m === undefined ? null : levelOfTolerance(input.tolerance_m);
    const refOf = (boundary: NamedShape) => refAt(geometryOf(boundary), input);
    const { documents } = ctx.services.engine;
    const merged = (sides: ReturnType<typeof sidesOf>, more: Pick<Document, 'landKm2'> = {}) =>
      documents.merge(
        sides.included.map(refOf),
        sides.excluded.map(refOf),
        { detail: input.detail, level, format: input.format, document: { ...document, ...more } },
        ctx,
        'refuse',
      );
    if (part !== 'dry_land') return { named, name: document.name, written: await merged(sides) };
    const { areaKm2: landKm2 } = await merged(sidesOf(input.include, await partsOf(reading, whole, 'land')));
    return { named, name: document.name, written: await merged(sides, { landKm2 }) };
  });
}
