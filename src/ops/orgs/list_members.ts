import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { pageInput, pageOf } from '../../core/schemas.ts';
import { holder } from '../account/api_key.ts';
import { member, ORG_ERRORS } from './org.ts';

export const listMembers = defineOp({
  name: 'list_members',
  summary: 'The members of the organization with their roles, longest there first.',
  route: { method: 'GET', path: '/orgs/members' },
  access: RULES.list_members,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject(pageInput()),
  output: pageOf(member),
  errors: ORG_ERRORS,
  examples: [{ input: {} }],
  async run(ctx, page) {
    return { ...(await ctx.services.orgs.members(holder(ctx.caller).org.id, page)), ...page };
  },
});
