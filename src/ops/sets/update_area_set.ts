import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { setName } from '../../core/schemas.ts';
import { visibility } from '../library/file.ts';
import { acting } from '../orgs/org.ts';
import { areaSet, SET_ERRORS, setAnswer, setTitle } from './set.ts';

export const updateAreaSet = defineOp({
  name: 'update_area_set',
  summary: 'Changes the title of an area set (write access) or who sees it (admin access).',
  route: { method: 'PATCH', path: '/sets/:name' },
  access: ({ visibility: seen }) => (seen === undefined ? RULES.update_area_set : RULES.update_area_set_visibility),
  least: RULES.update_area_set,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z
    .strictObject({ name: setName, title: setTitle.optional(), visibility: visibility.optional() })
    .refine(({ title, visibility: seen }) => title !== undefined || seen !== undefined, 'give a title or a visibility'),
  output: areaSet,
  errors: SET_ERRORS,
  examples: [
    { input: { name: 'territories', title: 'Sales territories' } },
    { input: { name: 'territories', visibility: 'restricted' } },
  ],
  audit: ['set.visibility'],
  run: async (ctx, { name, ...change }) => setAnswer(await ctx.services.areaSets.update(acting(ctx), name, change)),
});
