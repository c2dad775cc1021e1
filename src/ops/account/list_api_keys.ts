import { z } from 'zod';
import { RULES } from '../../access.ts';
import { defineOp } from '../../op.ts';
import { listOf } from '../../schemas.ts';
import { holder, KEY_ERRORS, keyEntry } from './api_key.ts';

export const listApiKeys = defineOp({
  name: 'list_api_keys',
  summary:
    "Active API keys, newest first, without their secrets: all of the organisation for admins, else the caller's.",
  route: { method: 'GET', path: '/api-keys' },
  access: RULES.list_api_keys,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({}),
  output: listOf(keyEntry),
  errors: KEY_ERRORS,
  examples: [{ input: {} }],
  async run(ctx) {
    const { account, org, role } = holder(ctx.caller);
    return { items: await ctx.services.keys.list({ account, org: org.id, role }) };
  },
});
