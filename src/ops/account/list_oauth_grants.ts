import { z } from 'zod';
import { RULES, SCOPES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { listOf, timestamp } from '../../core/schemas.ts';
import { holder, KEY_ERRORS } from './api_key.ts';

export const listOAuthGrants = defineOp({
  name: 'list_oauth_grants',
  summary: 'The applications that may act for the caller in the organization, newest first.',
  route: { method: 'GET', path: '/oauth-grants' },
  access: RULES.list_oauth_grants,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({}),
  output: listOf(
    z.object({
      id: z.string(),
      client_id: z.string(),
      client_name: z.string().describe('The name that the application gave itself, unverified.'),
      scope: z.enum(SCOPES).describe('The most it can do; the role of the person limits it further.'),
      created_at: timestamp,
      last_used_at: timestamp.nullable().describe('When it was last used, to the minute.'),
    }),
  ),
  errors: KEY_ERRORS,
  examples: [{ input: {} }],
  async run(ctx) {
    const { account, org } = holder(ctx.caller);
    return { items: await ctx.services.oauth.grants(account, org.id) };
  },
});
