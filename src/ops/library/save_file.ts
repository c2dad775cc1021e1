import { z } from 'zod';
import { RULES } from '../../access.ts';
import { created, defineOp } from '../../op.ts';
import { boundaryId, detail, format, oneLine } from '../../schemas.ts';
import { boundaryFor, requireGeometry, UPSTREAM_ERRORS } from '../boundaries/fetched.ts';
import { acting } from '../orgs/org.ts';
import { EXPORT_ERRORS, FILE_ERRORS, fileAnswer, fileEntry, visibility } from './file.ts';
import { renderFile } from './render.ts';

/** "Luxembourg (kml, medium)": one line of at most 200 characters, whatever the boundary is called. */
function defaultName(boundary: string, { format, detail }: { format: string; detail: string }): string {
  const about = ` (${format}, ${detail})`;
  const line = boundary.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  return [...line].slice(0, 150).join('').trim() + about;
}

export const saveFile = defineOp({
  name: 'save_file',
  summary: "Exports a boundary and saves it in the organization's file library.",
  description:
    'The same boundary, format and detail again gives the entry there is, with its name and visibility, and is free: ' +
    "the organization's, or your own restricted one. A colleague's restricted entry is never given to you.",
  route: { method: 'POST', path: '/files' },
  access: RULES.save_file,
  effect: 'write',
  cost: { units: 1, per: 'call', note: 'free when there is such an entry' },
  input: z.strictObject({
    boundary_id: boundaryId,
    format: format.default('geojson'),
    detail: detail.default('medium'),
    name: oneLine.optional().describe("Default: the boundary's name, format and detail."),
    visibility: visibility.default('org'),
  }),
  output: fileEntry,
  errors: [...FILE_ERRORS, ...EXPORT_ERRORS, ...UPSTREAM_ERRORS],
  success: { created: 'if_new' },
  examples: [
    { input: { boundary_id: 'r2171347', format: 'kml' } },
    { input: { boundary_id: 'iso:LI', detail: 'low', name: 'Liechtenstein, for the map', visibility: 'restricted' } },
  ],
  settles: true,
  async prepare(ctx, input) {
    const by = acting(ctx);
    const boundary = await boundaryFor(ctx, input.boundary_id);
    const key = { ...input, boundary: boundary.id };
    const existing = await ctx.services.files.find(by, key);
    if (!existing) await requireGeometry(ctx, [boundary]);
    return { by, boundary, key, existing };
  },
  price: (_ctx, _input, { existing }) => (existing ? 0 : 1),
  async run(ctx, input, { by, boundary, key, existing }, settle) {
    if (existing) return fileAnswer(ctx, existing);
    const exported = await renderFile(ctx.services, boundary, input, ctx.signal);
    const name = input.name ?? defaultName(boundary.name, input);
    const saved = await ctx.services.files.save(by, { key, name, exported }, settle);
    const answer = fileAnswer(ctx, saved.entry);
    return saved.created ? created(answer, `/v1/files/${answer.id}`) : answer;
  },
});
