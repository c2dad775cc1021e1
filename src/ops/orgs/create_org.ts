import { z } from 'zod';
import { defaultPlan } from '../../config.ts';
import { actorIn, RULES } from '../../core/access.ts';
import { created, defineOp } from '../../core/op.ts';
import { oneLine } from '../../core/schemas.ts';
import { accountOf } from '../account/api_key.ts';
import { ORG_ERRORS, org, slug } from './org.ts';

export const createOrg = defineOp({
  name: 'create_org',
  summary: 'Creates an organization owned by the caller.',
  description:
    'It does not become the current one: use switch_org for that. Without a slug it gets one made from its name.',
  route: { method: 'POST', path: '/orgs' },
  access: RULES.create_org,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ name: oneLine, slug: slug.optional() }),
  output: org,
  success: { created: 'always' },
  errors: ORG_ERRORS,
  examples: [{ input: { name: 'Analytical Engines', slug: 'engines' } }],
  audit: ['org.create'],
  async run(ctx, input) {
    const { id } = accountOf(ctx.caller);
    const plan = defaultPlan(ctx.services.config, ctx.services.db.kind);
    const made = await ctx.services.orgs.create(id, { ...input, plan }, (org) => actorIn(org, ctx));
    return created(made, '/v1/orgs');
  },
});
