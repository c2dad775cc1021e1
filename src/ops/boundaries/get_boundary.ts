import { z } from 'zod';
import { RULES } from '../../access.ts';
import { invalidInput } from '../../errors.ts';
import { bytes, defineOp } from '../../op.ts';
import { boundaryId, commaList, detail } from '../../schemas.ts';
import { boundaryDocument, contentType, documentHeaders, geometryOf, levelOf } from './document.ts';
import { boundaryFor, childrenFor, UPSTREAM_ERRORS } from './fetched.ts';
import { boundarySchema, featureSchema, tolerance } from './schema.ts';

const aboveLow = (input: { detail?: string; tolerance_m?: number }) =>
  (input.detail !== undefined && input.detail !== 'low') || input.tolerance_m !== undefined;

export const getBoundary = defineOp({
  name: 'get_boundary',
  summary: 'A boundary with its polygon, as a GeoJSON Feature.',
  description:
    'Low detail (about 1,000 points across) is public and free; medium, high and full need a key. tolerance_m, a power ' +
    'of two in metres, asks for one tolerance in place of a detail relative to the size: siblings asked for with the ' +
    'same tolerance share every vertex of their border. include=children adds the direct subdivisions, without polygons. To merge several use union_boundaries; for a file use export_boundary.',
  route: { method: 'GET', path: '/boundaries/:id' },
  access: (input) => (aboveLow(input) ? RULES.get_boundary_above_low : RULES.get_boundary),
  effect: 'read',
  cost: { units: 1, per: 'call', note: 'free at low detail' },
  input: z.strictObject({
    id: boundaryId,
    detail: detail.optional().describe('Default: low without a key, medium with one.'),
    tolerance_m: tolerance.optional(),
    include: commaList(z.enum(['children']))
      .max(1)
      .optional()
      .describe('children: adds the direct subdivisions.'),
  }),
  output: featureSchema(
    boundarySchema.omit({ bbox: true }).extend({
      area_km2: z.number().nullable(),
      detail: detail.nullable(),
      tolerance_m: z.number(),
      attribution: z.string(),
      children: z.array(boundarySchema).optional(),
      also: z
        .array(z.string())
        .optional()
        .describe('Other boundaries that carry the wikidata id or ISO code asked for.'),
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
    if (input.detail !== undefined && input.tolerance_m !== undefined) {
      throw invalidInput([{ path: 'tolerance_m', code: 'conflict', message: 'give detail or tolerance_m, not both' }]);
    }
    const known = ctx.caller.account !== null || ctx.caller.operator;
    const chosen = input.tolerance_m === undefined ? (input.detail ?? (known ? 'medium' : 'low')) : null;
    const boundary = await boundaryFor(ctx, input.id);
    const ref = geometryOf(boundary);
    return { boundary, ref, detail: chosen, level: levelOf(boundary, { ...input, detail: chosen }) };
  },
  price: (_ctx, _input, { detail: chosen }) => (chosen === 'low' ? 0 : 1),
  async run(ctx, input, { boundary, ref, detail: chosen, level }) {
    const more: Record<string, unknown> = {};
    if (boundary.also.length > 0) more.also = boundary.also;
    if (input.include?.includes('children') && boundary.type === 'administrative') {
      more.children = await childrenFor(ctx, boundary.id);
    }
    const document = boundaryDocument(boundary, level, chosen, 'geojson', more);
    const written = await ctx.services.engine.render(ref, level, 'geojson', document, ctx.signal);
    return bytes(written.bytes, contentType('geojson'), { headers: documentHeaders(written, boundary.source.url) });
  },
});
