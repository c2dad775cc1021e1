import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { acting, changesSomething, ORG_ERRORS, org, renaming } from './org.ts';

export const updateOrg = defineOp({
  name: 'update_org',
  summary: 'Changes the name or the slug of the organization.',
  route: { method: 'PATCH', path: '/orgs/current' },
  access: RULES.update_org,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject(renaming).refine(...changesSomething),
  output: org,
  errors: ORG_ERRORS,
  examples: [{ input: { name: 'Difference Engines' } }],
  audit: ['org.update'],
  run: (ctx, input) => ctx.services.orgs.update(acting(ctx), input),
});
