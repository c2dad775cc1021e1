import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { deleted } from '../../core/schemas.ts';
import { acting, ORG_ERRORS, userId } from './org.ts';

export const removeMember = defineOp({
  name: 'remove_member',
  summary:
    'Removes a member, with their keys, grants and file shares in the organization; with your own id you leave it.',
  route: { method: 'DELETE', path: '/orgs/members/:user_id' },
  access: RULES.remove_member,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ user_id: userId }),
  output: deleted,
  errors: ORG_ERRORS,
  examples: [{ input: { user_id: 'usr_01JD0000000000000000000000' } }],
  audit: ['member.remove', 'team.remove_member', 'api_key.revoke', 'oauth_grant.revoke', 'file.unshare', 'set.unshare'],
  async run(ctx, input) {
    await ctx.services.orgs.removeMember(acting(ctx), input.user_id);
    return { id: input.user_id, deleted: true as const };
  },
});
