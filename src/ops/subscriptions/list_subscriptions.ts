import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { pageInput, pageOf } from '../../core/schemas.ts';
import { KEY_ERRORS } from '../account/api_key.ts';
import { acting } from '../orgs/org.ts';
import { subscriptionAnswer, subscriptionEntry } from './subscription.ts';

export const listSubscriptions = defineOp({
  name: 'list_subscriptions',
  summary: "Lists the caller's subscriptions to changes, newest first; admins see those of the organization.",
  route: { method: 'GET', path: '/subscriptions' },
  access: RULES.list_subscriptions,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject(pageInput()),
  output: pageOf(subscriptionEntry),
  errors: KEY_ERRORS,
  examples: [{ input: {} }, { input: { limit: 5 } }],
  async run(ctx, page) {
    const { items, total } = await ctx.services.subscriptions.list(acting(ctx), page);
    return { items: items.map(subscriptionAnswer), total, ...page };
  },
});
