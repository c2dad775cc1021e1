import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { deleted, opaqueId, setName } from '../../core/schemas.ts';
import { acting } from '../orgs/org.ts';
import { SET_ERRORS } from './set.ts';

export const unshareAreaSet = defineOp({
  name: 'unshare_area_set',
  summary: 'Ends a share of an area set.',
  description: 'Needs admin access to the set. Their next call no longer reads it.',
  route: { method: 'DELETE', path: '/sets/:name/shares/:grant_id' },
  access: RULES.unshare_area_set,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ name: setName, grant_id: opaqueId.describe('The grant id of the share: shr_….') }),
  output: deleted,
  errors: SET_ERRORS,
  examples: [{ input: { name: 'territories', grant_id: 'shr_01JD3XHZ6Q8W9V2T5R4N7M0KAB' } }],
  audit: ['set.unshare'],
  async run(ctx, { name, grant_id }) {
    await ctx.services.areaSets.unshare(acting(ctx), name, grant_id);
    return { id: grant_id, deleted: true as const };
  },
});
