import { z } from 'zod';
import { defaultPlan } from '../../config.ts';
import { RULES } from '../../core/access.ts';
import { invalidInput } from '../../core/errors.ts';
import { defineOp } from '../../core/op.ts';
import { accountOf, holder, KEY_ERRORS } from './api_key.ts';

const refuse = (message: string) => invalidInput([{ path: 'plan', code: 'invalid_value', message }]);

export const changePlan = defineOp({
  name: 'change_plan',
  summary: 'Returns the page where the owner of an organization pays for a plan.',
  description:
    'The plan changes when the payment provider confirms the payment or its end. Without a provider plans are set ' +
    'by the operators of the service.',
  route: { method: 'PUT', path: '/orgs/plan' },
  access: RULES.change_plan,
  effect: 'write',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({ plan: z.string().min(1).max(200).describe('Id of a plan, from get_pricing.') }),
  output: z.object({
    checkout_url: z
      .string()
      .nullable()
      .describe('Where to pay; null when an existing subscription is changed or canceled.'),
  }),
  errors: KEY_ERRORS,
  examples: [{ input: { plan: 'pro' } }],
  async run(ctx, { plan }) {
    const { org } = holder(ctx.caller);
    const { email } = accountOf(ctx.caller);
    const { billing, config, db, payments } = ctx.services;
    if (!payments) throw refuse('plans are set by the operator');
    if (plan === org.plan) throw refuse('the organization is already on this plan');
    const paid = await billing.subscription(org.id);
    const price = await billing.priceOf(plan);
    if (price === null) {
      if (!paid?.live || plan !== defaultPlan(config, db.kind)) throw refuse('this plan is not sold');
      await payments.cancel(paid.id);
      return { checkout_url: null };
    }
    if (paid?.live) {
      await payments.change(paid.id, price);
      return { checkout_url: null };
    }
    const order = { org: org.id, price, email, customer: paid?.customer ?? null, returnTo: ctx.baseUrl };
    return { checkout_url: await payments.checkout(order) };
  },
});
