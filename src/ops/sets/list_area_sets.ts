import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { pageInput, pageOf } from '../../core/schemas.ts';
import { KEY_ERRORS } from '../account/api_key.ts';
import { acting } from '../orgs/org.ts';
import { areaSet, setAnswer } from './set.ts';

export const listAreaSets = defineOp({
  name: 'list_area_sets',
  summary: 'Lists the area sets of the organization that the caller may read, by name.',
  route: { method: 'GET', path: '/sets' },
  access: RULES.list_area_sets,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject(pageInput()),
  output: pageOf(areaSet),
  errors: KEY_ERRORS,
  examples: [{ input: {} }],
  async run(ctx, page) {
    const all = await ctx.services.areaSets.readable(acting(ctx));
    const items = all.slice(page.offset, page.offset + page.limit).map(setAnswer);
    return { items, total: all.length, ...page };
  },
});
