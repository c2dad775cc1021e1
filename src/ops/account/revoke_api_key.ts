import { z } from 'zod';
import { actorOf, RULES } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import { deleted, looseBoolean, opaqueId } from '../../core/schemas.ts';
import { holder, KEY_ERRORS } from './api_key.ts';

export const revokeApiKey = defineOp({
  name: 'revoke_api_key',
  summary: 'Revokes an API key of the caller, or for admins any key of the organization; it stops working at once.',
  description:
    'Keys that it created continue to work unless cascade is true: then they are revoked in the same transaction, with those ' +
    'that they created in turn. With cascade, a revoked key can be given again to revoke the keys that it left.',
  route: { method: 'DELETE', path: '/api-keys/:id' },
  access: RULES.revoke_api_key,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    id: opaqueId,
    cascade: looseBoolean.default(false).describe('Also revoke the keys that it created.'),
  }),
  output: deleted,
  errors: [...KEY_ERRORS, 'not_found'],
  examples: [
    { input: { id: 'key_01JD0000000000000000000000' } },
    { input: { id: 'key_01JD0000000000000000000000', cascade: true } },
  ],
  audit: ['api_key.revoke'],
  async run(ctx, { id, cascade }) {
    const { account, org, role } = holder(ctx.caller);
    if (!(await ctx.services.keys.revoke(id, { account, org: org.id, role }, actorOf(ctx), cascade))) {
      throw problem('not_found', 'There is no active key with this id that you can revoke.');
    }
    return { id, deleted: true as const };
  },
});
