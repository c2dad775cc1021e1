import { z } from 'zod';
import { RULES } from '../../access.ts';
import type { ResolvedBoundary } from '../../domain/boundaries.ts';
import { problem } from '../../errors.ts';
import { bytes, defineOp } from '../../op.ts';
import { boundaryId, detail, format } from '../../schemas.ts';
import { attributionOf, contentType, documentHeaders, geometryOf, mergedName } from './document.ts';
import { keepExport } from './export.ts';
import { exportSchema, featureSchema } from './schema.ts';

/** Boundaries one call may name (spec section 8). */
const MOST = 50;

const distinct = (boundaries: readonly ResolvedBoundary[]) => [
  ...new Map(boundaries.map((boundary) => [boundary.id, boundary])).values(),
];

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
    include: z.array(boundaryId).min(1).describe('Ids to merge.'),
    exclude: z.array(boundaryId).default([]).describe('Ids to cut out.'),
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
  errors: [
    'invalid_input',
    'invalid_id',
    'unauthorized',
    'quota_exceeded',
    'too_many_boundaries',
    'not_found',
    'no_geometry',
    'too_large',
    'rate_limited',
  ],
  examples: [
    { input: { include: ['r1155956', 'r1155957'] } },
    { input: { include: ['iso:LI'], exclude: ['r1155956'], detail: 'full' } },
  ],
  async prepare(ctx, { include, exclude }) {
    const count = include.length + exclude.length;
    if (count > MOST) throw problem('too_many_boundaries', `${count} boundaries are named; one call merges ${MOST}.`);
    const resolved = await ctx.services.boundaries.resolve([...include, ...exclude]);
    const included = distinct(resolved.slice(0, include.length));
    const excluded = distinct(resolved.slice(include.length));
    for (const boundary of resolved) geometryOf(boundary);
    return { included, excluded, named: distinct(resolved) };
  },
  price: (_ctx, _input, { named }) => named.length,
  async run(ctx, input, { included, excluded, named }) {
    const { engine } = ctx.services;
    const name = mergedName(included, excluded);
    const ids = (boundaries: readonly ResolvedBoundary[]) => boundaries.map(({ id }) => id);
    const written = await engine.merge(
      included.map(geometryOf),
      excluded.map(geometryOf),
      {
        detail: input.detail,
        format: input.format,
        document: {
          id: null,
          name,
          bbox: null,
          digits: 7,
          attribution: attributionOf(named),
          properties: { include: ids(included), exclude: ids(excluded) },
        },
      },
      ctx.signal,
    );
    const licence = named[0].source.url;
    if (input.format !== 'geojson') {
      return keepExport(ctx, written, { format: input.format, detail: input.detail, boundary_id: null, version: null });
    }
    return bytes(written.bytes, contentType('geojson'), { headers: documentHeaders(written, licence) });
  },
});
