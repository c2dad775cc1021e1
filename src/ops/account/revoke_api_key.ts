import { z } from 'zod';
import { RULES } from '../../access.ts';
import { problem } from '../../errors.ts';
import { defineOp } from '../../op.ts';
import { opaqueId } from '../../schemas.ts';
import { holder, KEY_ERRORS } from './api_key.ts';

export const revokeApiKey = defineOp({
  name: 'revoke_api_key',
  summary: "Revokes one of the caller's API keys; it stops working at once.",
  route: { method: 'DELETE', path: '/api-keys/:id' },
  access: RULES.revoke_api_key,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ id: opaqueId }),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  errors: [...KEY_ERRORS, 'not_found'],
  examples: [{ input: { id: 'key_01JD0000000000000000000000' } }],
  async run(ctx, input) {
    const { account, org } = holder(ctx.caller);
    if (!(await ctx.services.accounts.revokeKey(input.id, account, org.id))) {
      throw problem('not_found', 'You have no active key with this id.');
    }
    return { id: input.id, deleted: true as const };
  },
});
