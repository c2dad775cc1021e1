import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { listOf } from '../../core/schemas.ts';
import { holder } from '../account/api_key.ts';
import { invite, inviteAnswer, ORG_ERRORS } from './org.ts';

export const listInvites = defineOp({
  name: 'list_invites',
  summary: 'The open invitations of the organization, newest first.',
  route: { method: 'GET', path: '/orgs/invites' },
  access: RULES.list_invites,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({}),
  output: listOf(invite),
  errors: ORG_ERRORS,
  examples: [{ input: {} }],
  async run(ctx) {
    const items = await ctx.services.invites.list(holder(ctx.caller).org.id);
    return { items: items.map((one) => inviteAnswer(ctx, one)) };
  },
});
