import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { listOf } from '../../core/schemas.ts';
import { accountOf } from '../account/api_key.ts';
import { ORG_ERRORS, org } from './org.ts';

export const listOrgs = defineOp({
  name: 'list_orgs',
  summary: 'The organizations the caller is in, their own first.',
  route: { method: 'GET', path: '/orgs' },
  access: RULES.list_orgs,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({}),
  output: listOf(org),
  errors: ORG_ERRORS,
  examples: [{ input: {} }],
  async run(ctx) {
    const { id } = accountOf(ctx.caller);
    // An OAuth client that may act in one organization must not learn of others.
    const only = ctx.caller.credential?.kind === 'oauth_client' ? ctx.caller.org?.id : undefined;
    return { items: await ctx.services.orgs.list(id, only) };
  },
});
