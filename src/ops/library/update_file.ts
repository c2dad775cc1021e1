import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import { type Format, looseBoolean, oneLine } from '../../core/schemas.ts';
import { requireFileAccess } from '../../domain/library/entries.ts';
import { madeFrom } from '../../domain/library/watched.ts';
import { boundaryFor, requireGeometry, UPSTREAM_ERRORS } from '../boundaries/fetched.ts';
import { acting } from '../orgs/org.ts';
import {
  EXPORT_ERRORS,
  FILE_ERRORS,
  fileAnswer,
  fileEntry,
  fileId,
  follow,
  requireFollowable,
  tags,
  visibility,
} from './file.ts';
import { renderFile } from './render.ts';

export const updateFile = defineOp({
  name: 'update_file',
  summary:
    'Renames a file of the library, changes its tags or visibility, lets it follow its boundaries, or exports it again.',
  description:
    'A new name, tags, follow and refresh need write access to the file, visibility needs admin access. refresh exports the newest ' +
    'version of the boundary into the same entry; its URL does not change.',
  route: { method: 'PATCH', path: '/files/:id' },
  access: (input) => (input.visibility === undefined ? RULES.update_file : RULES.update_file_visibility),
  least: RULES.update_file,
  effect: 'write',
  cost: { units: 1, per: 'call', note: 'for refresh; free otherwise' },
  input: z
    .strictObject({
      id: fileId,
      name: oneLine.optional(),
      tags,
      visibility: visibility.optional(),
      follow,
      refresh: looseBoolean.default(false).describe('Export the newest version of the boundary.'),
    })
    .refine(
      ({ name, tags: given, visibility: seen, follow: follows, refresh }) =>
        name !== undefined || given !== undefined || seen !== undefined || follows !== undefined || refresh,
      'give a name, tags, a visibility, follow or refresh',
    ),
  output: fileEntry,
  errors: [...FILE_ERRORS, ...EXPORT_ERRORS, ...UPSTREAM_ERRORS],
  examples: [
    { input: { id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB', name: 'Luxembourg for the map' } },
    { input: { id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB', tags: ['maps', '2026'] } },
    { input: { id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB', visibility: 'restricted' } },
    { input: { id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB', refresh: true } },
    { input: { id: 'file_01JD3XHZ6Q8W9V2T5R4N7M0KAB', follow: true } },
  ],
  audit: ['file.visibility', 'file.follow'],
  settles: true,
  async prepare(ctx, input) {
    const by = acting(ctx);
    const { entry } = await ctx.services.files.get(by, input.id);
    requireFileAccess(entry, input.visibility === undefined ? 'write' : 'admin');
    if (input.follow) requireFollowable(await madeFrom(ctx.services.db, entry.id));
    if (!input.refresh) return { by, exported: null };
    if (entry.boundary_id === null || entry.detail === null) {
      const message = 'works for a single boundary only. Save other files again, or create their job again';
      throw invalidInput([{ path: 'refresh', code: 'conflict', message }]);
    }
    const dataAt = await ctx.services.boundaries.recordedAt();
    const boundary = await boundaryFor(ctx, entry.boundary_id);
    await requireGeometry(ctx, [boundary]);
    return { by, exported: { boundary, dataAt, format: entry.format as Format, detail: entry.detail } };
  },
  price: (_ctx, input) => (input.refresh ? 1 : 0),
  async run(ctx, { id, name, tags: given, visibility: seen, follow: follows }, { by, exported: wanted }, settle) {
    const exported = wanted
      ? { ...(await renderFile(ctx.services, wanted.boundary, wanted, ctx.signal)), dataAt: wanted.dataAt }
      : undefined;
    const change = { name, tags: given, visibility: seen, follow: follows, exported };
    return fileAnswer(ctx, await ctx.services.files.update(by, id, change, settle));
  },
});
