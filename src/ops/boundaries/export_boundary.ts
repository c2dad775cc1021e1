import { z } from 'zod';
import { FORMATS } from '../../../workers/formats/registry.ts';
import { only } from '../../common/elements.ts';
import { RULES } from '../../core/access.ts';
import { bytes, defineOp } from '../../core/op.ts';
import { asOf, boundaryId, detail, format, recordedBefore } from '../../core/schemas.ts';
import { withLocalName } from '../../domain/boundaries/boundary.ts';
import { partAsked, partsOf, shownLand } from '../../domain/boundaries/land.ts';
import {
  boundaryDocument,
  contentType,
  documentHeaders,
  exportDisposition,
  geometryOf,
  levelOf,
  refAt,
} from './document.ts';
import { exportOf, keepExport, putExport } from './export.ts';
import { asRead, boundaryFor, onSnapshot, requireGeometry, UPSTREAM_ERRORS } from './fetched.ts';
import { checkResolution, exportSchema, part as partFields, tolerance } from './schema.ts';

export const exportBoundary = defineOp({
  name: 'export_boundary',
  summary: 'A boundary as a file: geojson, kml, wkt, svg or gml.',
  description:
    'The HTTP route answers with the file itself; other calls with its URL, size and sha256. The same boundary, format ' +
    'and detail give the same bytes at the same URL.',
  route: { method: 'GET', path: '/boundaries/:id/export' },
  access: RULES.export_boundary,
  effect: 'read',
  cost: { units: 1, per: 'call' },
  input: z.strictObject({
    id: boundaryId,
    as_of: asOf,
    recorded_before: recordedBefore,
    format: format.default('geojson'),
    detail: detail.optional().describe('Default: medium.'),
    tolerance_m: tolerance.optional(),
    ...partFields,
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
    checkResolution(input);
    partAsked(input);
    const chosen = input.tolerance_m === undefined ? (input.detail ?? 'medium') : null;
    const boundary = await boundaryFor(ctx, input.id);
    await requireGeometry(ctx, [boundary]);
    return { found: boundary, detail: chosen };
  },
  async run(ctx, input, { found, detail: chosen }) {
    const { boundary, written } = await onSnapshot(ctx, async (reading) => {
      const whole = await asRead(reading, input.id, found);
      const part = partAsked(input);
      const boundary = only(await partsOf(reading, [whole], part));
      const land = (await reading.landOf([boundary.id])).get(boundary.id);
      const level = levelOf(boundary, { ...input, detail: chosen });
      const about = { level, detail: chosen, format: input.format };
      const document = boundaryDocument(boundary, withLocalName(boundary.boundary), about, shownLand(land, part));
      const ref = refAt(geometryOf(boundary), input);
      const { engine } = ctx.services;
      return {
        boundary,
        written: await engine.documents.render(ref, level, input.format, document, ctx.signal, 'refuse'),
      };
    });
    const about = {
      format: input.format,
      detail: chosen,
      boundary_id: boundary.id,
      version: boundary.boundary.version,
    };
    if (ctx.transport !== 'http') return keepExport(ctx, written, about, 'export_boundary');
    // What areas of sets are in has no public address.
    const isPrivate = ctx.services.sets !== undefined;
    return bytes(written.bytes, contentType(input.format), {
      headers: {
        ...documentHeaders(written, boundary.source.url),
        'Content-Disposition': exportDisposition(boundary, chosen ?? `${input.tolerance_m} m`, input.format),
        ...(isPrivate ? {} : { 'Content-Location': exportOf(ctx, written, about).url }),
      },
      ...(isPrivate ? {} : { keep: () => putExport(ctx, written, input.format) }),
    });
  },
});
