import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import { bytes, defineOp } from '../../core/op.ts';
import { adminLevel, asOf, boundaryId, recordedBefore } from '../../core/schemas.ts';
import { childrenPage, childrenSchema, PAGE } from './children.ts';
import { readCursor } from './cursor.ts';
import { UPSTREAM_ERRORS } from './fetched.ts';
import { JSON_TYPE } from './list.ts';
import { naming, namingOf } from './schema.ts';

export const listChildren = defineOp({
  name: 'list_children',
  summary: 'Lists the subdivisions of a boundary: the next level below it, those of a level, the direct ones or all.',
  description:
    'Sorted by local name, then id; empty for a boundary without subdivisions. If direct subdivisions are of several levels, ' +
    'the next level alone may leave some out: covers and other_levels show it, and levels=direct lists what tiles the ' +
    'boundary. Of set:NAME, the areas of that area set. A page has at most 1,000 items; next is the cursor of the one after it, good until the boundaries change.',
  route: { method: 'GET', path: '/boundaries/:id/children' },
  access: RULES.list_children,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    id: boundaryId,
    admin_level: adminLevel
      .optional()
      .describe('All descendants of this admin level. Default: the next level that exists below the boundary.'),
    levels: z
      .enum(['direct', 'all'])
      .optional()
      .describe('Instead of admin_level. direct: all direct children, of any level; all: every descendant.'),
    limit: z.int().min(1).max(PAGE).default(PAGE).describe('Page size.'),
    cursor: z.string().min(1).max(200).optional().describe('next of the previous page.'),
    ...naming,
    as_of: asOf,
    recorded_before: recordedBefore,
  }),
  output: childrenSchema,
  success: { documents: [JSON_TYPE] },
  errors: ['invalid_input', 'invalid_id', 'not_found', 'no_children', ...UPSTREAM_ERRORS, 'rate_limited'],
  examples: [
    { input: { id: 'iso:ES-AN' } },
    { input: { id: 'iso:ES', admin_level: 6 }, note: 'All descendants at one level' },
    { input: { id: 'iso:ES', levels: 'direct', limit: 5 }, note: 'What tiles it, five at a time' },
    { input: { id: 'berlin' }, note: 'A name is not an id: search for it first', problem: 'invalid_id' },
  ],
  async prepare(_ctx, { admin_level, levels, cursor }) {
    if (admin_level !== undefined && levels !== undefined) {
      throw invalidInput([{ path: 'levels', code: 'conflict', message: 'give admin_level or levels, not both' }]);
    }
    if (cursor !== undefined) readCursor(cursor);
  },
  async run(ctx, { id, admin_level: adminLevel, levels, limit, cursor, ...wanted }) {
    const asked = { adminLevel, levels, limit, cursor, naming: namingOf(ctx, wanted) };
    const page = await childrenPage(ctx, id, asked);
    return bytes(page.bytes, JSON_TYPE, { headers: { ETag: `"${page.sha256}"` } });
  },
});
