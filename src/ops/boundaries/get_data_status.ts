import { z } from 'zod';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { looseBoolean, timestamp } from '../../core/schemas.ts';

export const getDataStatus = defineOp({
  name: 'get_data_status',
  summary: 'What is imported from which source and when, how far changes of the map were taken in, and what is stale.',
  description:
    'A stale boundary keeps its last good shape, because the newer one cannot be published; a broken one has no ' +
    'polygon. The address of an update is null for changes given by hand.',
  route: { method: 'GET', path: '/data-status' },
  access: RULES.get_data_status,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    countries: looseBoolean
      .default(false)
      .describe('Answer what is stored of each country too, as it was at most a minute ago.'),
  }),
  output: z.object({
    boundaries: z.int(),
    stale: z.int(),
    sources: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        url: z.string().nullable(),
        license: z.string(),
        attribution: z.string(),
        imported_at: timestamp,
        data_at: timestamp.nullable().describe('The time of the newest data, as far as its files say.'),
        boundaries: z.int(),
        with_geometry: z.int(),
        stale: z.int(),
        broken: z.int(),
      }),
    ),
    countries: z
      .array(
        z.object({
          country: z.string().nullable().describe('ISO 3166-1 alpha-2; null: in no country.'),
          levels: z.array(z.object({ admin_level: z.int().nullable(), boundaries: z.int() })),
          postal_codes: z.int(),
        }),
      )
      .optional()
      .describe('With countries alone.'),
    updates: z.array(
      z.object({
        address: z.string().nullable(),
        sequence: z.int().nullable().describe('The number of the last change taken in.'),
        data_at: timestamp.nullable(),
        applied_at: timestamp,
      }),
    ),
  }),
  errors: ['invalid_input', 'rate_limited'],
  examples: [{ input: {} }, { input: { countries: true }, note: 'By country and level, too' }],
  async run(ctx, { countries }) {
    const { sources, updates } = await ctx.services.freshness.status();
    const total = (of: 'boundaries' | 'stale') => sources.reduce((sum, source) => sum + source[of], 0);
    const stored = countries ? await ctx.services.coverage.recent() : null;
    const byCountry = stored?.map(({ country, levels, postal_code }) => {
      return { country, levels: [...levels], postal_codes: postal_code.boundaries };
    });
    return {
      ...(byCountry ? { countries: byCountry } : {}),
      boundaries: total('boundaries'),
      stale: total('stale'),
      sources,
      updates,
    };
  },
});
