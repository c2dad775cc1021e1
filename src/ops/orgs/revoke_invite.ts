import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { deleted, opaqueId } from '../../core/schemas.ts';
import { acting, ORG_ERRORS } from './org.ts';

export const revokeInvite = defineOp({
  name: 'revoke_invite',
  summary: 'Revokes an open invitation.',
  route: { method: 'DELETE', path: '/orgs/invites/:id' },
  access: RULES.revoke_invite,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ id: opaqueId }),
  output: deleted,
  errors: ORG_ERRORS,
  examples: [{ input: { id: 'inv_01JD0000000000000000000000' } }],
  audit: ['invite.revoke'],
  async run(ctx, { id }) {
    await ctx.services.invites.revoke(acting(ctx), id);
    return { id, deleted: true as const };
  },
});
