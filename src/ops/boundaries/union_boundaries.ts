import { z } from 'zod';
import { defined } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import { lengthOf } from '../../core/input.ts';
import { bytes, type Context, defineOp } from '../../core/op.ts';
import { boundaryId, type Detail, detail, type Format, format } from '../../core/schemas.ts';
import type { NamedShape } from '../../domain/boundaries/boundary.ts';
import { attributionOf, contentType, documentHeaders, geometryOf, mergedName } from './document.ts';
import { keepExport } from './export.ts';
import { onSnapshot, requireGeometry, shapesFor, UPSTREAM_ERRORS } from './fetched.ts';
import { exportSchema, featureSchema } from './schema.ts';

/** The input of a merge. */
interface MergeInput {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly detail: Detail;
  readonly format: Format;
}

/** Limit of the boundaries in one call (spec section 8). */
export const MOST_MERGED = 50;

const distinct = (boundaries: readonly NamedShape[]) => [
  ...new Map(boundaries.map((boundary) => [boundary.id, boundary])).values(),
];

/** The resolved boundaries of a call, each once: those that are merged, those that are cut out, and all. */
export function sidesOf(include: readonly string[], resolved: readonly NamedShape[]) {
  return {
    included: distinct(resolved.slice(0, include.length)),
    excluded: distinct(resolved.slice(include.length)),
    named: distinct(resolved),
  };
}

export const unionBoundaries = defineOp({
  name: 'union_boundaries',
  summary: 'Merges boundaries into one polygon: the union of include minus the union of exclude.',
  description:
    'Exact: shared borders cancel, and no slivers are left. Up to 50 boundaries; one named twice counts once. The answer ' +
    'is a GeoJSON Feature with area_km2; in another format it is the address of the file. To describe an area in words ' +
    'instead, use create_area.',
  route: { method: 'POST', path: '/boundaries/union' },
  access: RULES.union_boundaries,
  effect: 'read',
  cost: { units: 1, per: 'boundary', note: 'each distinct boundary in include and exclude' },
  input: z.strictObject({
    include: z.array(boundaryId).min(1).max(MOST_MERGED).describe('Ids to merge.'),
    exclude: z.array(boundaryId).max(MOST_MERGED).default([]).describe('Ids to cut out.'),
    detail: detail.default('medium'),
    format: format.default('geojson'),
  }),
  output: z.union([
    featureSchema(
      z.object({
        area_km2: z.number(),
        include: z.array(z.string()),
        exclude: z.array(z.string()),
        detail,
        tolerance_m: z.number(),
        attribution: z.string(),
      }),
    ),
    exportSchema,
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
      input: { include: ['iso:ES-AN'], exclude: ['iso:ES-SE'], detail: 'full', format: 'svg' },
      note: 'One area minus another, as a picture',
    },
  ],
  count({ include, exclude }) {
    const named = lengthOf(include) + lengthOf(exclude);
    if (named > MOST_MERGED)
      throw problem('too_many_boundaries', `Too many boundaries: ${named} given, at most ${MOST_MERGED} per call.`);
  },
  async prepare(ctx, { include, exclude }) {
    const { included, excluded, named } = sidesOf(include, await shapesFor(ctx, [...include, ...exclude]));
    await requireGeometry(ctx, named);
    const cut = excluded.length > 0 ? `, ${excluded.length} to cut out` : '';
    ctx.progress?.(`${included.length} boundaries to merge${cut}`);
    return { units: named.length };
  },
  price: (_ctx, _input, { units }) => units,
  async run(ctx, input) {
    const { written, named } = await mergeNamed(ctx, input);
    const license = defined(named[0]).source.url;
    if (input.format !== 'geojson') {
      return keepExport(ctx, written, { format: input.format, detail: input.detail, boundary_id: null, version: null });
    }
    return bytes(written.bytes, contentType('geojson'), { headers: documentHeaders(written, license) });
  },
});

/** The union of `include` minus that of `exclude`, as a document of one state of the data. @throws as Engine.merge() */
export function mergeNamed(ctx: Context, input: MergeInput) {
  const ids = (boundaries: readonly NamedShape[]) => boundaries.map(({ id }) => id);
  return onSnapshot(ctx, async (reading) => {
    const sides = sidesOf(input.include, await reading.shapes([...input.include, ...input.exclude]));
    const { included, excluded, named } = sides;
    const document = {
      id: null,
      name: mergedName(included, excluded),
      bbox: null,
      digits: 7,
      attribution: attributionOf(named),
      properties: { include: ids(included), exclude: ids(excluded) },
    };
    const [include, exclude] = [included.map(geometryOf), excluded.map(geometryOf)];
    const wanted = { detail: input.detail, format: input.format, document };
    const { engine } = ctx.services;
    return { named, written: await engine.merge(include, exclude, wanted, ctx.signal, ctx.progress, 'refuse') };
  });
}
