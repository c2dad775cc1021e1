import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { deleted, setName } from '../../core/schemas.ts';
import { acting } from '../orgs/org.ts';
import { SET_ERRORS } from './set.ts';

export const deleteAreaSet = defineOp({
  name: 'delete_area_set',
  summary: 'Deletes an area set with all its versions. The ids of its areas stop working, and its shares end.',
  description: 'Needs admin access to the set. Files that were made from it stay.',
  route: { method: 'DELETE', path: '/sets/:name' },
  access: RULES.delete_area_set,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ name: setName }),
  output: deleted,
  errors: SET_ERRORS,
  examples: [{ input: { name: 'territories' } }],
  audit: ['set.delete'],
  async run(ctx, { name }) {
    await ctx.services.areaSets.remove(acting(ctx), name);
    return { id: name, deleted: true as const };
  },
});
