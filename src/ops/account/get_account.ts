import { z } from 'zod';
import { ROLES, RULES } from '../../access.ts';
import { problem } from '../../errors.ts';
import { defineOp } from '../../op.ts';
import { timestamp } from '../../schemas.ts';

export const getAccount = defineOp({
  name: 'get_account',
  summary: 'The account behind the key, the organisation it acts in and the role there.',
  route: { method: 'GET', path: '/account' },
  access: RULES.get_account,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({}),
  output: z.object({
    id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    created_at: timestamp,
    org: z.object({
      id: z.string(),
      slug: z.string(),
      name: z.string(),
      plan: z.string(),
      role: z.enum(ROLES).describe('Role of the person; a key acts as admin at most.'),
    }),
    key_id: z.string().nullable().describe('The API key of this call.'),
    operator: z.boolean(),
  }),
  errors: ['invalid_input', 'unauthorized', 'invalid_key', 'invalid_token', 'rate_limited'],
  examples: [{ input: {} }],
  async run(ctx) {
    const { account, org, credential, operator } = ctx.caller;
    const profile = account && org && (await ctx.services.accounts.profile(account.id, org.id));
    if (!profile) throw problem('unauthorized', 'There is no account behind this call: send an API key.');
    return { ...profile, key_id: credential?.kind === 'api_key' ? credential.id : null, operator };
  },
});
