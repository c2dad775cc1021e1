import { z } from 'zod';
import { RULES } from '../../access.ts';
import { defineOp } from '../../op.ts';
import { adminLevel, boundaryId, listOf } from '../../schemas.ts';
import { childrenFor, UPSTREAM_ERRORS } from './fetched.ts';
import { boundarySchema } from './schema.ts';

export const listChildren = defineOp({
  name: 'list_children',
  summary: 'Lists the direct subdivisions of a boundary, or its descendants at one admin level.',
  description: 'By name; an empty list for a boundary without subdivisions.',
  route: { method: 'GET', path: '/boundaries/:id/children' },
  access: RULES.list_children,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    id: boundaryId,
    admin_level: adminLevel
      .optional()
      .describe('Admin level below that of the boundary; absent: the next that exists there.'),
  }),
  output: listOf(boundarySchema),
  errors: ['invalid_input', 'invalid_id', 'not_found', 'no_children', ...UPSTREAM_ERRORS, 'rate_limited'],
  examples: [
    { input: { id: 'iso:ES-AN' } },
    { input: { id: 'iso:ES', admin_level: 6 }, note: 'All descendants at one level' },
    { input: { id: 'berlin' }, note: 'A name is no id: search for it first', problem: 'invalid_id' },
  ],
  async run(ctx, { id, admin_level }) {
    return { items: await childrenFor(ctx, id, admin_level) };
  },
});
