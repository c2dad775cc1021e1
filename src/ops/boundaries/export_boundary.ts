import { z } from 'zod';
import { FORMATS } from '../../../workers/contract.ts';
import { RULES } from '../../access.ts';
import { invalidInput } from '../../errors.ts';
import { bytes, defineOp } from '../../op.ts';
import { boundaryId, detail, format } from '../../schemas.ts';
import { boundaryDocument, contentType, documentHeaders, exportDisposition, geometryOf, levelOf } from './document.ts';
import { keepExport } from './export.ts';
import { boundaryFor, UPSTREAM_ERRORS } from './fetched.ts';
import { exportSchema, tolerance } from './schema.ts';

export const exportBoundary = defineOp({
  name: 'export_boundary',
  summary: 'A boundary as a file: geojson, kml, wkt, svg or gml.',
  description:
    'HTTP answers with the file itself; every other route with its address, size and sha256. The same boundary, format ' +
    'and detail give the same bytes at the same address.',
  route: { method: 'GET', path: '/boundaries/:id/export' },
  access: RULES.export_boundary,
  effect: 'read',
  cost: { units: 1, per: 'call' },
  input: z.strictObject({
    id: boundaryId,
    format: format.default('geojson'),
    detail: detail.optional().describe('Default: medium.'),
    tolerance_m: tolerance.optional(),
  }),
  output: exportSchema,
  success: { files: FORMATS.map(contentType) },
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
  examples: [{ input: { id: 'r2171347', format: 'kml' } }, { input: { id: 'iso:LI', format: 'svg', detail: 'low' } }],
  async prepare(ctx, input) {
    if (input.detail !== undefined && input.tolerance_m !== undefined) {
      throw invalidInput([{ path: 'tolerance_m', code: 'conflict', message: 'give detail or tolerance_m, not both' }]);
    }
    const chosen = input.tolerance_m === undefined ? (input.detail ?? 'medium') : null;
    const boundary = await boundaryFor(ctx, input.id);
    const ref = geometryOf(boundary);
    return { boundary, ref, detail: chosen, level: levelOf(boundary, { ...input, detail: chosen }) };
  },
  async run(ctx, input, { boundary, ref, detail: chosen, level }) {
    const document = boundaryDocument(boundary, level, chosen, input.format);
    const written = await ctx.services.engine.render(ref, level, input.format, document, ctx.signal);
    const about = {
      format: input.format,
      detail: chosen,
      boundary_id: boundary.id,
      version: boundary.boundary.version,
    };
    const kept = await keepExport(ctx, written, about);
    if (ctx.transport !== 'http') return kept;
    return bytes(written.bytes, contentType(input.format), {
      headers: {
        ...documentHeaders(written, boundary.source.url),
        'Content-Disposition': exportDisposition(boundary.name, chosen ?? `${input.tolerance_m} m`, input.format),
        'Content-Location': kept.url,
      },
    });
  },
});
