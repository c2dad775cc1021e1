import { z } from 'zod';
import { actorOf, RULES } from '../../core/access.ts';
import { created, defineOp } from '../../core/op.ts';
import { oneLine } from '../../core/schemas.ts';
import { accountOf, holder, KEY_ERRORS, keyEntry } from './api_key.ts';

export const createApiKey = defineOp({
  name: 'create_api_key',
  summary: 'Creates an API key for the caller in the organization. The secret is shown only once, in this answer.',
  description:
    'A key created with a key has created_by_key, here, in lists and in the audit log; revoke_api_key of ' +
    'the one that created it revokes both.',
  route: { method: 'POST', path: '/api-keys' },
  access: RULES.create_api_key,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ name: oneLine.default('API key').describe('What the key is for.') }),
  output: keyEntry.extend({ api_key: z.string().describe('The secret.') }),
  success: { created: 'always' },
  errors: [...KEY_ERRORS, 'too_many_keys'],
  examples: [{ input: { name: 'nightly export' } }],
  audit: ['api_key.create'],
  async run(ctx, input) {
    const { account, org } = holder(ctx.caller);
    const creator = accountOf(ctx.caller);
    const { credential } = ctx.caller;
    const madeBy = credential?.kind === 'api_key' ? credential.id : null;
    const made = await ctx.services.keys.add(account, org.id, input.name, actorOf(ctx), madeBy);
    const { id, name, prefix, created_at, created_by_key, key } = made;
    const entry = { id, name, prefix, created_at, last_used_at: null, revoked_at: null, created_by_key, creator };
    return created({ ...entry, api_key: key }, `/v1/api-keys/${id}`);
  },
});
