import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { looseBoolean, pageInput, pageOf } from '../../core/schemas.ts';
import { holder, KEY_ERRORS, keyEntry } from './api_key.ts';

export const listApiKeys = defineOp({
  name: 'list_api_keys',
  summary: "API keys, newest first, without their secrets: all of the organization for admins, else the caller's.",
  route: { method: 'GET', path: '/api-keys' },
  access: RULES.list_api_keys,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    revoked: looseBoolean.default(false).describe('Include revoked keys, which have revoked_at.'),
    ...pageInput(100, 100),
  }),
  output: pageOf(keyEntry),
  errors: KEY_ERRORS,
  examples: [{ input: {} }, { input: { revoked: true } }],
  async run(ctx, { revoked, limit, offset }) {
    const { account, org, role } = holder(ctx.caller);
    const page = await ctx.services.keys.list({ account, org: org.id, role }, { revoked, limit, offset });
    return { ...page, limit, offset };
  },
});
