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
    'The keys that it created, and those that they created in turn, are revoked in the same transaction, and also_revoked ' +
    'names them. With cascade false they continue to work; giving the key again then revokes them.',
  route: { method: 'DELETE', path: '/api-keys/:id' },
  access: RULES.revoke_api_key,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    id: opaqueId,
    cascade: looseBoolean.default(true).describe('Also revoke the keys that it created.'),
  }),
  output: deleted.extend({
    also_revoked: z.array(z.string()).describe('Ids of the keys that it created, directly or through others.'),
  }),
  errors: [...KEY_ERRORS, 'not_found'],
  examples: [
    { input: { id: 'key_01JD0000000000000000000000' } },
    { input: { id: 'key_01JD0000000000000000000000', cascade: false }, note: 'Keeps the keys that it created' },
  ],
  audit: ['api_key.revoke'],
  async run(ctx, { id, cascade }) {
    const { account, org, role } = holder(ctx.caller);
    const revoked = await ctx.services.keys.revoke(id, { account, org: org.id, role }, actorOf(ctx), cascade);
    if (revoked.length === 0) {
      throw problem('not_found', 'There is no active key with this id that you can revoke.');
    }
    return { id, deleted: true as const, also_revoked: revoked.filter((one) => one !== id) };
  },
});
