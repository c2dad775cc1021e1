import { z } from 'zod';
import { defaultPlan } from '../../config.ts';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';

const unlimited = z.int().nullable();

export const getPricing = defineOp({
  name: 'get_pricing',
  summary: 'Plans (monthly price, included units, rate limit) and the unit cost of each operation.',
  route: { method: 'GET', path: '/pricing' },
  access: RULES.get_pricing,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({}),
  output: z.object({
    currency: z.string(),
    plans: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        price_month: unlimited.describe('Null: not sold for a price.'),
        included_units: unlimited.describe('Units in a calendar month (UTC); null: unlimited.'),
        requests_per_minute: unlimited,
        batch_size: unlimited.describe('Boundaries of one job; null: 100,000.'),
        job_days: unlimited.describe('Days that the result of a job is kept; null: until it is deleted.'),
        area_sets: unlimited.describe('Area sets of an organization; null: unlimited, as in the two below.'),
        set_areas: unlimited.describe('Areas of all its sets, of each version.'),
        set_vertices: unlimited.describe('Vertices of those areas.'),
      }),
    ),
    costs: z.array(
      z.object({ op: z.string(), units: z.int(), per: z.enum(['call', 'boundary']), note: z.string().optional() }),
    ),
    anonymous: z
      .object({ requests_per_minute: unlimited })
      .describe('Limit for a network without a key; callers on the machine itself have more.'),
  }),
  errors: ['invalid_input', 'rate_limited'],
  examples: [{ input: {} }],
  async run(ctx) {
    const { config, db, billing } = ctx.services;
    const { plans, anonymous: others, anonymousOwn } = await billing.plans();
    const anonymous = defaultPlan(config, db.kind) === 'self_hosted' ? anonymousOwn : others;
    const costs = ctx.services.ops.map((op) => ({ op: op.name, ...op.cost }));
    return { currency: 'EUR', plans, costs, anonymous };
  },
});
