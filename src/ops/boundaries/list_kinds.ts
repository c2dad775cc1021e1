import { z } from 'zod';
import { KINDS } from '../../common/kinds.ts';
import { RULES } from '../../core/access.ts';
import { defineOp } from '../../core/op.ts';
import { kindRows } from '../../sources/kinds.ts';

export const listKinds = defineOp({
  name: 'list_kinds',
  summary: 'The table that assigns a kind to boundaries by country and admin_level, each row with its source.',
  description:
    'An absent country means every country; an absent admin_level means boundaries without one. A row with an id ' +
    'is an exception for one boundary, with within for boundaries inside another, with when for boundaries with one of the tags. ' +
    'Exceptions take precedence, then (outside of the table) an ISO 3166-1 code at levels 2 to 6, which makes a country of ' +
    'a territory too; then tags, those of the country before those of all; then country and level; then the level alone.',
  route: { method: 'GET', path: '/kinds' },
  access: RULES.list_kinds,
  effect: 'read',
  cost: { units: 0, per: 'call' },
  input: z.strictObject({
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'must be an ISO 3166-1 alpha-2 code')
      .transform((code) => code.toUpperCase())
      .optional()
      .describe('Only rows that apply in this country (ISO 3166-1 alpha-2): its own, and those for every country.'),
  }),
  output: z.object({
    items: z.array(
      z.object({
        country: z.string().nullable(),
        admin_level: z.int().nullable(),
        id: z.string().nullable(),
        within: z.string().nullable(),
        when: z.record(z.string(), z.array(z.string())).nullable(),
        kind: z.enum(KINDS),
        source: z.string(),
        as_of: z.string().describe('The year, or year and month, of the source.'),
      }),
    ),
  }),
  errors: ['invalid_input', 'rate_limited'],
  examples: [{ input: { country: 'LU' } }],
  async run(_ctx, { country }) {
    // Rules for every country apply too, where the country has none of its own.
    const rows = kindRows().filter((row) => country === undefined || (row.country ?? country) === country);
    return {
      items: rows.map((row) => ({
        country: row.country ?? null,
        admin_level: row.admin_level ?? null,
        id: row.id ?? null,
        within: row.within ?? null,
        when: row.when ? Object.fromEntries(Object.entries(row.when).map(([tag, values]) => [tag, [...values]])) : null,
        kind: row.kind,
        source: row.source,
        as_of: row.as_of,
      })),
    };
  },
});
