import { z } from 'zod';
import { readCodeId } from '../../common/code_ids.ts';
import { only } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { bytes, defineOp } from '../../core/op.ts';
import { asOf, boundaryId, commaList, detail, recordedBefore } from '../../core/schemas.ts';
import { partAsked, partsOf, shownLand } from '../../domain/boundaries/land.ts';
import { childrenSchema, countRequestsOnce, PAGE, pageOf } from './children.ts';
import { boundaryDocument, contentType, documentHeaders, geometryOf, levelOf, refAt } from './document.ts';
import { asRead, boundaryFor, onSnapshot, parentFor, requireGeometry, UPSTREAM_ERRORS } from './fetched.ts';
import {
  boundarySchema,
  checkResolution,
  featureSchema,
  includesWaterSchema,
  inlandWaterSchema,
  naming,
  namingOf,
  part as partFields,
  tolerance,
} from './schema.ts';

const aboveLow = (input: { detail?: string; tolerance_m?: number }) =>
  (input.detail !== undefined && input.detail !== 'low') || input.tolerance_m !== undefined;

/** A boundary as it is sent. */
interface Document {
  readonly bytes: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

export const getBoundary = defineOp({
  name: 'get_boundary',
  summary: 'A boundary with its polygon, as a GeoJSON Feature.',
  description:
    'Low detail (about 1,000 points across) is public and free; medium, high and full need a key. tolerance_m, a power ' +
    'of two in meters, sets an absolute tolerance instead of a detail relative to the size: neighbors of any admin level ' +
    'with the same tolerance share every vertex of their border. include=children adds the subdivisions of the next level, without polygons; list_children has others. To merge several use union_boundaries; for a file use export_boundary.',
  route: { method: 'GET', path: '/boundaries/:id' },
  access: (input) => (aboveLow(input) ? RULES.get_boundary_above_low : RULES.get_boundary),
  effect: 'read',
  cost: { units: 1, per: 'call', note: 'free at low detail' },
  input: z.strictObject({
    id: boundaryId,
    detail: detail.optional().describe('Default: low without a key, medium with one.'),
    tolerance_m: tolerance.optional(),
    ...partFields,
    include: commaList(z.enum(['children']))
      .max(1)
      .optional()
      .describe('children: adds the subdivisions of the next level.'),
    ...naming,
    as_of: asOf,
    recorded_before: recordedBefore,
  }),
  output: featureSchema(
    boundarySchema.omit({ bbox: true }).extend({
      area_km2: z.number().nullable(),
      land_km2: z.number().nullable().describe('Area of the land of the boundary; null where no coast was imported.'),
      includes_water: includesWaterSchema,
      inland_water_km2: inlandWaterSchema,
      population_source: z
        .object({ name: z.string(), year: z.int() })
        .optional()
        .describe('Source of population when it is not that of the boundary.'),
      inherited: z
        .record(z.string(), z.string())
        .optional()
        .describe('By field that the source does not state, the source of the seed boundary it was taken from.'),
      codes: z
        .array(z.object({ scheme: z.string(), code: z.string() }))
        .optional()
        .describe('Its codes by scheme (fips, nuts, insee …). scheme:code is an id of the boundary, too.'),
      detail: detail.nullable(),
      tolerance_m: z.number(),
      attribution: z.string(),
      children: z
        .array(boundarySchema)
        .optional()
        .describe('The first 1,000 by name; children_page describes the rest.'),
      children_page: childrenSchema.omit({ items: true }).optional().describe('As in list_children.'),
      also: z
        .array(z.string())
        .optional()
        .describe('Other boundaries with the requested wikidata id, ISO code or other code.'),
    }),
  ),
  success: { documents: [contentType('geojson')] },
  errors: [
    'invalid_input',
    'invalid_id',
    'unauthorized',
    'quota_exceeded',
    'not_found',
    'no_geometry',
    ...UPSTREAM_ERRORS,
    'too_large',
    'rate_limited',
  ],
  examples: [
    { input: { id: 'r2171347', detail: 'low' } },
    { input: { id: 'iso:ES-SE', detail: 'high' } },
    {
      input: { id: 'iso:ES-AN', tolerance_m: 1024, include: ['children'] },
      note: 'One tolerance for siblings, and the subdivisions',
    },
    { input: { id: 'r1', detail: 'low' }, problem: 'not_found', note: 'No boundary has this id' },
  ],
  async prepare(ctx, input) {
    checkResolution(input);
    partAsked(input);
    const known = ctx.caller.account !== null || ctx.caller.operator;
    const chosen = input.tolerance_m === undefined ? (input.detail ?? (known ? 'medium' : 'low')) : null;
    const found = await boundaryFor(ctx, input.id);
    await requireGeometry(ctx, [found]);
    return { found, detail: chosen };
  },
  price: (_ctx, _input, { detail: chosen }) => (chosen === 'low' ? 0 : 1),
  async run(ctx, input, { found, detail: chosen }) {
    const withChildren = input.include?.includes('children') && found.type === 'administrative';
    if (withChildren) await parentFor(ctx, found.id, {});
    const weigh = countRequestsOnce(ctx);
    const wanted = namingOf(ctx, input);
    // Not cached: seed boundaries marked as such while an upstream source is asked, and lists of children, which are
    // counted.
    const repeats = ctx.services.upstream === null && !withChildren;
    const part = partAsked(input);
    const key = `get ${JSON.stringify([input.id, chosen, input.tolerance_m, wanted, part])}`;
    return onSnapshot(ctx, async (reading) => {
      const kept = repeats ? reading.kept<Document>(key) : undefined;
      if (kept) return bytes(kept.bytes, contentType('geojson'), { headers: kept.headers });
      const whole = await asRead(reading, input.id, found);
      const boundary = only(await partsOf(reading, [whole], part));
      const land = (await reading.landOf([boundary.id])).get(boundary.id);
      const shown = only(await reading.show([boundary.boundary], wanted));
      const more: Record<string, unknown> = shownLand(land, part);
      if (boundary.population_source) more.population_source = boundary.population_source;
      if (boundary.inherited) more.inherited = boundary.inherited;
      if (boundary.code_ids) more.codes = boundary.code_ids.flatMap((one) => readCodeId(one) ?? []);
      if (boundary.also.length > 0) more.also = boundary.also;
      if (withChildren) {
        const page = await pageOf(ctx, reading, boundary.id, { limit: PAGE, naming: wanted }, weigh);
        const { items, ...rest } = JSON.parse(Buffer.from(page.bytes).toString()) as z.output<typeof childrenSchema>;
        more.children = items;
        more.children_page = rest;
      }
      const level = levelOf(boundary, { ...input, detail: chosen });
      const document = boundaryDocument(boundary, shown, { level, detail: chosen, format: 'geojson' }, more);
      const ref = refAt(geometryOf(boundary), input);
      const { documents } = ctx.services.engine;
      const written =
        documents.renderNow(ref, level, 'geojson', document) ??
        (await documents.render(ref, level, 'geojson', document, ctx.signal, 'refuse'));
      const headers = documentHeaders(written, boundary.source.url);
      if (repeats) reading.keep(key, { bytes: written.bytes, headers });
      return bytes(written.bytes, contentType('geojson'), { headers });
    });
  },
});
