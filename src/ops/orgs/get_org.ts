import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { holder } from '../account/api_key.ts';
import { ORG_ERRORS, org } from './org.ts';

export const getOrg = defineOp({
  name: 'get_org',
  summary: 'The organization in which the call acts.',
  route: { method: 'GET', path: '/orgs/current' },
  access: RULES.get_org,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({}),
  output: org,
  errors: ORG_ERRORS,
  examples: [{ input: {} }],
  async run(ctx) {
    const { account, org } = holder(ctx.caller);
    return ctx.services.orgs.find(account, org.id);
  },
});
