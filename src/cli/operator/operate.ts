import { z } from 'zod';
import { systemActor } from '../../core/access.ts';
import { FIRST_OWNER } from '../../domain/people/accounts.ts';
import { command } from './command.ts';

export const operateCommands = {
  admin_set_plan: command({
    input: z.strictObject({ org: z.string(), plan: z.string() }),
    run: async ({ services }, { org, plan }) => {
      const changed = await services.billing.setPlan(org, plan, systemActor('operator'));
      services.orgs.forget();
      return changed;
    },
  }),
  admin_set_price: command({
    input: z.strictObject({ plan: z.string(), price: z.string().min(1).max(200).nullable() }),
    run: async ({ services }, { plan, price }) => {
      await services.billing.setPrice(plan, price);
      return { plan, price };
    },
  }),
  admin_owner: command({
    input: z.strictObject({ email: z.string(), account: z.string().default(FIRST_OWNER) }),
    run: ({ services }, { email, account }) => services.accounts.changeEmail(account, email),
  }),
  admin_operator: command({
    input: z.strictObject({ email: z.string(), operator: z.boolean() }),
    run: ({ services }, { email, operator }) => services.accounts.setOperator(email, operator),
  }),
};
