import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { problem } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import { timestamp } from '../../core/schemas.ts';

export const getUsage = defineOp({
  name: 'get_usage',
  summary: "The organization's units this calendar month: used, included, and by operation.",
  description:
    'On the free plan, used and limit are shared by all free organizations of the same founder; by_op ' +
    'is for this organization alone.',
  route: { method: 'GET', path: '/usage' },
  access: RULES.get_usage,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({}),
  output: z.object({
    period_start: timestamp,
    period_end: timestamp,
    used: z.int(),
    limit: z.int().nullable().describe('Null: unlimited.'),
    by_op: z.array(z.object({ op: z.string(), calls: z.int(), units: z.int() })),
  }),
  errors: ['invalid_input', 'unauthorized', 'invalid_key', 'invalid_token', 'rate_limited'],
  examples: [{ input: {} }],
  async run(ctx) {
    const usage = ctx.caller.org && (await ctx.services.billing.usage(ctx.caller.org.id));
    if (!usage) throw problem('unauthorized', 'Units belong to an organization: send an API key.');
    const { reserved: _, pooled: __, ...answer } = usage;
    return { ...answer, by_op: [...usage.by_op] };
  },
});
