import { z } from 'zod';
import { actorOf, RULES } from '../../access.ts';
import { created, defineOp } from '../../op.ts';
import { oneLine } from '../../schemas.ts';
import { accountOf, holder, KEY_ERRORS, keyEntry } from './api_key.ts';

export const createApiKey = defineOp({
  name: 'create_api_key',
  summary: 'Makes an API key for the caller in the organisation. The secret is shown once, here.',
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
    const made = await ctx.services.keys.add(account, org.id, input.name, actorOf(ctx));
    const { id, name, prefix, created_at, key } = made;
    return created({ id, name, prefix, created_at, last_used_at: null, creator, api_key: key }, `/v1/api-keys/${id}`);
  },
});
