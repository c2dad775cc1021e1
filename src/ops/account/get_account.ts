import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import { ROLES, weaker } from '../../core/roles.ts';
import { timestamp } from '../../core/schemas.ts';

export const getAccount = defineOp({
  name: 'get_account',
  summary: 'The account of the caller, the organization it acts in and its role there.',
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
      role: z.enum(ROLES).describe('Role of the person.'),
      effective_role: z
        .enum(ROLES)
        .describe('What this call can do: a key acts as admin at most, an application as far as its scope allows.'),
    }),
    key_id: z.string().nullable().describe('The API key of this call.'),
    operator: z.boolean(),
  }),
  errors: ['invalid_input', 'unauthorized', 'invalid_key', 'invalid_token', 'rate_limited'],
  examples: [{ input: {} }],
  async run(ctx) {
    const { account, org, role, credential, operator } = ctx.caller;
    const profile = account && org && (await ctx.services.accounts.profile(account.id, org.id));
    if (!profile) throw problem('unauthorized', 'This call has no account. Send an API key.');
    const effective_role = weaker(profile.org.role, role ?? profile.org.role);
    const where = { ...profile.org, effective_role };
    return { ...profile, org: where, key_id: credential?.kind === 'api_key' ? credential.id : null, operator };
  },
});
