import { z } from 'zod';
import { actorOf, RULES } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import { opaqueId } from '../../core/schemas.ts';
import { holder, KEY_ERRORS } from './api_key.ts';

export const revokeOAuthGrant = defineOp({
  name: 'revoke_oauth_grant',
  summary: 'Revokes the access of an application for the caller; its tokens stop working at once.',
  route: { method: 'DELETE', path: '/oauth-grants/:id' },
  access: RULES.revoke_oauth_grant,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ id: opaqueId }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  errors: [...KEY_ERRORS, 'not_found'],
  examples: [{ input: { id: 'Xh4VtQkZ0cB1mJ8sY2eLw' } }],
  audit: ['oauth_grant.revoke'],
  async run(ctx, input) {
    const { account, org } = holder(ctx.caller);
    if (!(await ctx.services.oauth.revoke(input.id, account, org.id, actorOf(ctx)))) {
      throw problem('not_found', 'You have no grant with this id in the organization.');
    }
    return { id: input.id, deleted: true as const };
  },
});
