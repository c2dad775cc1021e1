import { z } from 'zod';
import { actorOf, RULES } from '../../access.ts';
import { problem } from '../../errors.ts';
import { defineOp } from '../../op.ts';
import { deleted, opaqueId } from '../../schemas.ts';
import { holder, KEY_ERRORS } from './api_key.ts';

export const revokeApiKey = defineOp({
  name: 'revoke_api_key',
  summary: "Revokes an API key of the caller's, or any of the organisation for admins; it stops working at once.",
  route: { method: 'DELETE', path: '/api-keys/:id' },
  access: RULES.revoke_api_key,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ id: opaqueId }),
  output: deleted,
  errors: [...KEY_ERRORS, 'not_found'],
  examples: [{ input: { id: 'key_01JD0000000000000000000000' } }],
  audit: ['api_key.revoke'],
  async run(ctx, { id }) {
    const { account, org, role } = holder(ctx.caller);
    if (!(await ctx.services.keys.revoke(id, { account, org: org.id, role }, actorOf(ctx)))) {
      throw problem('not_found', 'There is no active key with this id that is yours to revoke.');
    }
    return { id, deleted: true as const };
  },
});
