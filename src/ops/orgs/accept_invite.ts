import { z } from 'zod';
import { actorIn, RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { accountOf } from '../account/api_key.ts';
import { ORG_ERRORS, org } from './org.ts';

export const acceptInvite = defineOp({
  name: 'accept_invite',
  summary: 'Accepts an invitation that was sent to the address of the caller.',
  route: { method: 'POST', path: '/invites/accept' },
  access: RULES.accept_invite,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ token: z.string().min(1).max(200).describe('The token in the mail.') }),
  output: org,
  errors: ORG_ERRORS,
  examples: [{ input: { token: 'kY0m4W0bqYwq8Xl2m9cTn1uJ6pZr3sVd' } }],
  audit: ['invite.accept', 'member.add'],
  async run(ctx, input) {
    const { id } = accountOf(ctx.caller);
    return ctx.services.invites.accept(id, input.token, (org) => actorIn(org, ctx));
  },
});
