import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { deleted } from '../../core/schemas.ts';
import { acting } from '../orgs/org.ts';
import { SUBSCRIPTION_ERRORS, subscriptionId } from './subscription.ts';

export const deleteSubscription = defineOp({
  name: 'delete_subscription',
  summary: 'Deletes a subscription: no further messages are written.',
  description: 'Only for its creator and admins. Messages that are written already are still sent.',
  route: { method: 'DELETE', path: '/subscriptions/:id' },
  access: RULES.delete_subscription,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ id: subscriptionId }),
  output: deleted,
  errors: SUBSCRIPTION_ERRORS,
  examples: [{ input: { id: 'sub_01JD3XHZ6Q8W9V2T5R4N7M0KAB' } }],
  audit: ['subscription.delete'],
  async run(ctx, { id }) {
    await ctx.services.subscriptions.remove(acting(ctx), id);
    return { id, deleted: true as const };
  },
});
